import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { type ChangeDesc, EditorState, Text } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { colors, SHEET } from './colors.ts';
import { filesOf } from './files-of.ts';
import { pageLanguage } from './page-language.ts';
import type { FormFields } from './text-form.ts';

interface Events {
  /** After the textarea has the new text. */
  changed(): void;
  /** Files were dropped or pasted at a place of the text. */
  take(files: readonly File[], place: number): void;
  mapPlaces(changes: ChangeDesc): void;
}

/**
 * CodeMirror in the place of the textarea, which gets the text after each edit. It lives in a shadow root: there its
 * styles are style sheets that scripts adopt, which the policy of our pages allows, and not `<style>` elements.
 */
export function openTextEditor(
  { area, form }: FormFields,
  events: Events,
): { view: EditorView; host: HTMLElement } {
  const host = document.createElement('div');
  host.className = 'editor';
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(SHEET);
  root.adoptedStyleSheets = [sheet];
  const help = document.createElement('p');
  help.id = 'help';
  const keys = document.createElement('span');
  keys.textContent = KEYS_HELP;
  help.append(keys, form.dataset.upload === undefined ? '' : ` ${FILES_HELP}`);
  const label = form.querySelector<HTMLLabelElement>(`label[for="${area.id}"]`);
  const doc = Text.of(area.value.split('\n'));
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc,
      extensions: [
        history(),
        search({ top: true }),
        highlightSelectionMatches(),
        pageLanguage(doc),
        colors,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': label?.textContent ?? '',
          'aria-describedby': help.id,
          tabindex: '0',
          spellcheck: 'true',
          autocapitalize: 'sentences',
        }),
        // Tab leaves the text, as it leaves the textarea.
        keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of(({ docChanged, changes, state }) => {
          if (!docChanged) return;
          events.mapPlaces(changes);
          area.value = state.doc.toString();
          events.changed();
        }),
        EditorView.domEventHandlers({
          drop: (event, shown) => takeFiles(event, event.dataTransfer, placeOf(shown, event)),
          paste: (event, shown) => takeFiles(event, event.clipboardData, shown.state.selection.main.head),
        }),
      ],
    }),
  });
  root.append(help);
  root.addEventListener('input', searchAtOnce);
  area.after(host);
  area.hidden = true;
  label?.removeAttribute('for');
  label?.addEventListener('click', () => view.focus());
  return { view, host };

  function takeFiles(event: Event, data: DataTransfer | null, place: number): boolean {
    const files = filesOf(data);
    if (files.length === 0) return false;
    event.preventDefault();
    events.take(files, place);
    return true;
  }
}

/** Puts another text in the place of all, as one step that can be undone. */
export function replaceText(view: EditorView, content: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: content }, userEvent: 'input' });
  view.focus();
}

/** The search panel looks for words when a key comes up or the field is left: it misses words that are pasted or spoken. */
function searchAtOnce({ target }: Event): void {
  if (target instanceof HTMLInputElement) target.dispatchEvent(new Event('change'));
}

function placeOf(view: EditorView, { clientX: x, clientY: y }: MouseEvent): number {
  return view.posAtCoords({ x, y }, false);
}

const KEYS_HELP = 'Ctrl+S saves, Ctrl+F finds, Ctrl+] indents, Tab leaves the text.';
const FILES_HELP = 'A file that is dropped or pasted here is stored, and linked.';
