import { isolateHistory } from '@codemirror/commands';
import type { ChangeDesc, Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { parse } from './text-form.ts';

/** Stores files by the form "Add a file", one after another, and puts a link to each into the text. */
export class FileUploads {
  readonly #form: HTMLFormElement;
  readonly #status: HTMLElement;
  /** Where the links will be. The text may change before. */
  readonly #places = new Set<{ at: number }>();
  #last: Promise<void> = Promise.resolve();

  constructor(form: HTMLFormElement, status: HTMLElement) {
    this.#form = form;
    this.#status = status;
  }

  get isBusy(): boolean {
    return this.#places.size > 0;
  }

  mapPlaces(changes: ChangeDesc): void {
    for (const place of this.#places) place.at = changes.mapPos(place.at, 1);
  }

  take(view: EditorView, files: readonly File[], at: number): void {
    const place = { at };
    this.#places.add(place);
    this.#last = this.#last.then(async () => {
      const faults: string[] = [];
      for (const file of files) {
        try {
          const stored = await this.#store(file);
          view.dispatch({
            changes: { from: place.at, insert: linkAt(view.state.doc, place.at, stored) },
            annotations: isolateHistory.of('full'),
            userEvent: 'input.drop',
          });
        } catch (error) {
          faults.push(`${file.name} is not stored: ${error instanceof Error ? error.message : error}`);
        }
      }
      this.#places.delete(place);
      this.#status.textContent = faults.join(' ') || 'Stored, and linked in the text.';
    });
  }

  /** Returns the path of the stored file. */
  async #store(file: File): Promise<string> {
    const { upload, fileBytes } = this.#form.dataset;
    if (upload === undefined) throw new Error('Files may not be added here.');
    const most = Number(fileBytes);
    if (file.size > most) throw new Error(`it is larger than ${most / 1_000_000} MB.`);
    // Its own form for each file, with a token and a request id.
    const empty = await fetch(upload).then((answer) => answer.text());
    const form = parse(empty).querySelector<HTMLFormElement>('form.write');
    if (form === null) throw new Error(faultIn(empty));
    const data = new FormData(form);
    data.set('file', file);
    const { address, text } = await post(upload, data, (share) => {
      this.#status.textContent = `Storing ${file.name}: ${Math.round(share * 100)} %`;
    });
    const stored = new URL(address, location.href).searchParams.get('stored');
    if (stored === null) throw new Error(faultIn(text));
    return stored;
  }
}

/** Unlike `fetch` this reports how much was sent. */
function post(
  address: string,
  data: FormData,
  progress: (share: number) => void,
): Promise<{ address: string; text: string }> {
  const request = new XMLHttpRequest();
  request.open('POST', address);
  request.upload.onprogress = ({ loaded, total }) => progress(total === 0 ? 1 : loaded / total);
  return new Promise((resolve, reject) => {
    request.onload = () => resolve({ address: request.responseURL, text: request.responseText });
    request.onerror = () => reject(new Error('the wiki did not answer. Drop it again.'));
    request.send(data);
  });
}

function faultIn(html: string): string {
  return parse(html).querySelector('[role="alert"]')?.textContent ?? 'the wiki did not take it.';
}

/** Before the text of a line the link is a paragraph of its own, or the line would be no heading or item any more. */
function linkAt(doc: Text, place: number, path: string): string {
  const { from, text } = doc.lineAt(place);
  const before = text.slice(0, place - from);
  if (before === '' && text.trim() !== '') return `${linkTo(path)}\n\n`;
  return /\S$/.test(before) ? ` ${linkTo(path)}` : linkTo(path);
}

function linkTo(path: string): string {
  return `${/\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(path) ? '!' : ''}[[${path}]]`;
}
