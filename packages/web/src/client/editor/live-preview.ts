import { type FormFields, parse } from './text-form.ts';

/** The preview below the form, which follows the text after a pause once a person asked for it. */
export class LivePreview {
  readonly #fields: FormFields;
  readonly #status: HTMLElement;
  #section: Element | null;
  #pending = new AbortController();
  #timer = 0;

  constructor(fields: FormFields, status: HTMLElement) {
    this.#fields = fields;
    this.#status = status;
    // The server puts it before the text.
    this.#section = document.querySelector(SECTION);
    if (this.#section !== null) fields.form.after(this.#section);
  }

  async show(): Promise<void> {
    await this.#ask();
    this.#section?.scrollIntoView({ block: 'nearest' });
  }

  changed(): void {
    if (this.#section === null) return;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#ask(), PAUSE_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#pending.abort();
  }

  /** A later question makes the answer of an earlier one stale. */
  async #ask(): Promise<void> {
    this.end();
    const pending = new AbortController();
    this.#pending = pending;
    const { form } = this.#fields;
    try {
      const body = this.#fields.data('preview');
      const answer = await fetch(form.action, { method: 'POST', body, signal: pending.signal });
      const fresh = parse(await answer.text());
      if (pending.signal.aborted) return;
      const section = fresh.querySelector(SECTION);
      if (section === null) {
        this.#status.textContent = fresh.querySelector('[role="alert"]')?.textContent ?? NO_PREVIEW;
      } else if (this.#section === null) {
        this.#section = document.importNode(section, true);
        form.after(this.#section);
      } else {
        this.#section.replaceChildren(...document.importNode(section, true).childNodes);
      }
    } catch {
      if (!pending.signal.aborted) this.#status.textContent = NO_PREVIEW;
    }
  }
}

const SECTION = 'section[aria-labelledby="ui.previewed"]';
const PAUSE_MS = 600;
const NO_PREVIEW = 'There is no preview now: the wiki did not answer.';
