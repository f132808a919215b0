import { diffLines } from 'diff';
import type { DraftKeeper } from './draft-keeper.ts';
import type { KeptDraft } from './draft-store.ts';
import { button, type FormFields, paragraph } from './text-form.ts';

/** Offers unsaved texts of the page above its form. Nothing is put into the form before a person says so. */
export async function offerDrafts(
  keeper: DraftKeeper,
  fields: FormFields,
  show: (content: string) => void,
): Promise<void> {
  for (const draft of await keeper.others()) {
    if (draft.content === fields.area.value) void keeper.discard(draft.id);
    else fields.form.before(offer(keeper, fields, draft, show));
  }
}

function offer(
  keeper: DraftKeeper,
  fields: FormFields,
  draft: KeptDraft,
  show: (content: string) => void,
): HTMLElement {
  const box = document.createElement('section');
  box.className = 'notice write';
  box.setAttribute('aria-label', 'Unsaved text');
  const sentence = paragraph({});
  const isOlder = draft.version !== fields.hidden('version');
  sentence.textContent = `You have unsaved text of this page from ${new Date(draft.time).toLocaleString()}.${isOlder ? ' The page has changed since: if you restore the text and save it, you see both changes.' : ''}`;
  const restore = button('Restore', () => {
    // It replaces the version that it was begun on, so that a newer page is a conflict and is not lost.
    for (const name of ['version', 'at', 'marked'] as const) fields.setHidden(name, draft[name]);
    fields.message.value = draft.message;
    show(draft.content);
    box.remove();
    void keeper.takeOver(draft.id);
  });
  const discard = button('Discard', () => {
    box.remove();
    void keeper.discard(draft.id);
  });
  const buttons = paragraph({ className: 'buttons' });
  buttons.append(restore, discard);
  box.append(sentence, differences(fields.area.value, draft), buttons);
  return box;
}

function differences(before: string, { id, content }: KeptDraft): HTMLElement {
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = 'What differs from the text below';
  const area = document.createElement('textarea');
  area.readOnly = true;
  area.rows = 8;
  area.id = `ui.draft.${id}`;
  area.setAttribute('aria-label', 'Differences: lines with + are in the unsaved text alone');
  details.append(summary, area);
  // `toggle` comes after the details are shown.
  summary.addEventListener('click', () => {
    area.value ||= difference(before, content);
  });
  return details;
}

function difference(before: string, after: string): string {
  const changes = diffLines(before, after, { maxEditLength: MAX_EDITS });
  if (changes === undefined) return after;
  return changes
    .flatMap(({ added, removed, value, count }) => {
      const sign = added ? '+ ' : '- ';
      if (!added && !removed) return [`  (${count} equal ${count === 1 ? 'line' : 'lines'})`];
      return value
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => sign + line);
    })
    .join('\n');
}

const MAX_EDITS = 500;
