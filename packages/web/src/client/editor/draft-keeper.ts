import type { DraftStore, KeptDraft } from './draft-store.ts';
import type { FormFields } from './text-form.ts';

/** Keeps the text of this tab while it is not saved. Tabs share nothing but the store: each writes its own draft. */
export class DraftKeeper {
  readonly #store: Promise<DraftStore>;
  #page = '';
  readonly #id = crypto.randomUUID();
  #fields: FormFields | null = null;
  #note: HTMLElement | null = null;
  #timer = 0;
  /** The drafts that this form took over, and its own: all that a save makes needless. */
  readonly #mine = new Set<string>([this.#id]);
  #last: Promise<void> = Promise.resolve();

  constructor(store: Promise<DraftStore>) {
    this.#store = store;
    // Held while the tab lives, so that no other tab offers this draft.
    void navigator.locks?.request(LOCK + this.#id, () => new Promise(() => {}));
    // The last moment at which a tab that is closed may still do something.
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) void this.keepNow();
    });
  }

  /** From now on the text is that of this form. */
  follow(fields: FormFields, note: HTMLElement): void {
    this.#fields = fields;
    // The page may have moved since the form before.
    this.#page = fields.page;
    this.#note = note;
  }

  changed(): void {
    if (this.#timer === 0) this.#timer = window.setTimeout(() => this.keepNow(), PAUSE_MS);
  }

  /** Keeps what has changed since it was last kept. */
  keepNow(): Promise<void> {
    if (this.#timer === 0) return this.#last;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#last = this.#last.then(() => this.#keep());
    return this.#last;
  }

  /** Drafts of the page that no open tab is writing, newest first. Empties the store of what is too old or too much. */
  async others(): Promise<KeptDraft[]> {
    try {
      const store = await this.#store;
      const open = await openIds();
      const free = (await store.all()).filter(({ id }) => !open.has(id) && !this.#mine.has(id));
      const needless = new Set(tooMany(free));
      await store.delete([...needless]);
      return free.filter(({ id, page }) => page === this.#page && !needless.has(id));
    } catch {
      this.#say(NOT_KEPT);
      return [];
    }
  }

  /** The form has the text of another draft now, which goes when the form's own draft has it. */
  async takeOver(id: string): Promise<void> {
    this.changed();
    await this.keepNow();
    await this.discard(id);
  }

  async discard(id: string): Promise<void> {
    await (await this.#store).delete([id]).catch(() => this.#mine.add(id));
  }

  /** A save landed: nothing is unsaved any more. */
  async landed(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = 0;
    await this.#last;
    await this.#store.then((store) => store.delete([...this.#mine])).catch(() => undefined);
  }

  async #keep(): Promise<void> {
    const fields = this.#fields;
    if (fields === null) return;
    const { area, form, message } = fields;
    const content = area.value;
    try {
      const store = await this.#store;
      if (this.#isUntouched(fields)) {
        await store.delete([this.#id]);
        this.#say('');
      } else if (content.length > Number(form.dataset.pageBytes)) {
        this.#say(TOO_LARGE);
      } else {
        const [version, at, marked] = (['version', 'at', 'marked'] as const).map((name) =>
          fields.hidden(name),
        );
        const time = Date.now();
        const made = { version: version ?? '', at: at ?? '', marked: marked ?? '' };
        await store.put({ id: this.#id, page: this.#page, content, message: message.value, ...made, time });
        this.#say(
          `Not saved yet. This browser keeps the text, as of ${new Date(time).toLocaleTimeString()}.`,
        );
      }
    } catch {
      this.#say(NOT_KEPT);
    }
  }

  /** True if the form is as the page is. After a fault the text of the form is in no page. */
  #isUntouched({ area, message }: FormFields): boolean {
    const isAsSent = area.value === area.defaultValue && message.value === message.defaultValue;
    return isAsSent && document.querySelector('main .fault') === null;
  }

  #say(sentence: string): void {
    if (this.#note !== null) this.#note.textContent = sentence;
  }
}

const LOCK = 'pagetree-draft-';
const PAUSE_MS = 400;
const NOT_KEPT =
  'This browser keeps no unsaved text now, perhaps because its storage is full. Save before you leave the page.';
const TOO_LARGE = 'The text is too large for a page, and is not kept. Shorten it before you leave the page.';

const MAX_AGE_MS = 30 * 24 * 60 * 60_000;
const MAX_DRAFTS = 50;
const MAX_CHARACTERS = 20_000_000;

async function openIds(): Promise<Set<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name = '' }) => name.replace(LOCK, '')));
}

/** The ids of those that are beyond the bounds. `drafts` begin with the newest. */
function tooMany(drafts: readonly KeptDraft[]): string[] {
  let characters = 0;
  return drafts.flatMap(({ id, content, time }, at) => {
    characters += content.length;
    const isKept = at < MAX_DRAFTS && characters <= MAX_CHARACTERS && Date.now() - time < MAX_AGE_MS;
    return isKept ? [] : [id];
  });
}
