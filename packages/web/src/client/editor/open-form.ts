import { DraftKeeper } from './draft-keeper.ts';
import type { DraftStore } from './draft-store.ts';
import { FileUploads } from './file-uploads.ts';
import { LivePreview } from './live-preview.ts';
import { offerDrafts } from './offer-drafts.ts';
import { sendForm } from './send-form.ts';
import { openTextEditor, replaceText } from './text-editor.ts';
import { FormFields, paragraph } from './text-form.ts';

/** Adds the editor to the form of the page, and again to the form of an answer. The textarea stays what is sent. */
export function openForm(opening: Promise<DraftStore>, kept?: DraftKeeper): void {
  const fields = FormFields.find();
  if (fields === null) return;
  const { form } = fields;
  const status = paragraph({ role: 'status' });
  const keptNote = paragraph({ className: 'kept' });
  const keeper = kept ?? new DraftKeeper(opening);
  keeper.follow(fields, keptNote);
  const preview = new LivePreview(fields, status);
  const uploads = new FileUploads(form, status);
  const { view, host } = openTextEditor(fields, {
    changed: () => {
      keeper.changed();
      preview.changed();
    },
    take: (files, place) => uploads.take(view, files, place),
    mapPlaces: (changes) => uploads.mapPlaces(changes),
  });
  host.after(status, keptNote);
  fields.message.addEventListener('input', () => keeper.changed());
  void offerDrafts(keeper, fields, (content) => replaceText(view, content));

  let isSending = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { submitter } = event;
    if (submitter instanceof HTMLButtonElement && submitter.value === 'preview') return preview.show();
    if (isSending) return;
    if (uploads.isBusy) {
      status.textContent = 'Wait until the files are stored, and save again.';
      return;
    }
    isSending = true;
    status.textContent = 'Saving …';
    const hadFocus = view.hasFocus;
    // What is typed meanwhile would be in no save.
    host.inert = true;
    const outcome = await sendForm(fields, status, keeper);
    host.inert = false;
    isSending = false;
    if (outcome === 'stays' && hadFocus) view.focus();
    if (outcome !== 'answered') return;
    preview.end();
    openForm(opening, keeper);
  });
  saveByKey(form);
}

/** Ctrl+S, or Cmd+S on a Mac, wherever the focus is. */
function saveByKey(form: HTMLFormElement): void {
  const listening = new AbortController();
  const listen = (event: KeyboardEvent) => {
    if (!form.isConnected) return listening.abort();
    const isSave = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey);
    if (!isSave || event.altKey || event.shiftKey) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector<HTMLButtonElement>('button[value="save"]'));
  };
  document.addEventListener('keydown', listen, { signal: listening.signal });
}
