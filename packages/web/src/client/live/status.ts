/** The newest change that a page names. */
export interface ShownChange {
  /** Its author, and the agent. */
  by: string;
  link: HTMLAnchorElement | null;
}

/** The line that says what happened to the page. A screen reader reads it out. */
export class Status {
  readonly #text = document.createElement('p');
  readonly #hide = document.createElement('button');
  #isGone = false;

  constructor() {
    // There from the beginning: only what is added to it later is read out.
    this.#text.setAttribute('role', 'status');
    this.#hide.type = 'button';
    this.#hide.textContent = 'Hide';
    this.#hide.addEventListener('click', () => this.#say());
    const box = document.createElement('div');
    box.className = 'live-status';
    box.append(this.#text, this.#hide);
    // Within a landmark, where a screen reader finds it.
    (document.querySelector('main') ?? document.body).append(box);
    this.#say();
  }

  /** Null for a change of which the page does not say who made it, as one of an embedded page. */
  updated(change: ShownChange | null): void {
    if (change === null) this.#say('Page updated.');
    else this.#say(`Page updated by ${change.by}. `, change.link);
  }

  /** `sentence` is that of the page which says so, if it knows more. */
  gone(sentence: Element | null): void {
    this.#isGone = true;
    this.#say(...(sentence?.childNodes ?? ['This page is no longer here.']));
  }

  /** The page is there, perhaps again. */
  here(): void {
    if (this.#isGone) this.#say();
    this.#isGone = false;
  }

  #say(...parts: readonly (Node | string | null)[]): void {
    const said = parts.filter((part) => part !== null);
    this.#text.replaceChildren(
      ...said.map((part) => (typeof part === 'string' ? part : document.importNode(part, true))),
    );
    this.#hide.hidden = said.length === 0;
  }
}
