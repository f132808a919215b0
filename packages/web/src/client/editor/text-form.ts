/** The form for the text of a page, as the server sent it. */
export class FormFields {
  readonly form: HTMLFormElement;
  readonly area: HTMLTextAreaElement;
  readonly message: HTMLInputElement;

  private constructor(form: HTMLFormElement, area: HTMLTextAreaElement, message: HTMLInputElement) {
    this.form = form;
    this.area = area;
    this.message = message;
  }

  static find(): FormFields | null {
    const area = document.querySelector<HTMLTextAreaElement>('form.write textarea[name="content"]');
    const message = area?.form?.querySelector<HTMLInputElement>('input[name="message"]');
    return area?.form && message ? new FormFields(area.form, area, message) : null;
  }

  /** The page that is written, with its wiki. */
  get page(): string {
    return new URL(this.form.action).pathname;
  }

  hidden(name: HiddenName): string {
    return this.#input(name)?.value ?? '';
  }

  setHidden(name: HiddenName, value: string): void {
    const input = this.#input(name);
    if (input !== null) input.value = value;
  }

  /** What the browser sends if a person clicks the button. */
  data(button: 'save' | 'preview'): FormData {
    const data = new FormData(this.form);
    data.set('do', button);
    return data;
  }

  #input(name: HiddenName): HTMLInputElement | null {
    return this.form.querySelector(`input[name="${name}"]`);
  }
}

type HiddenName = 'version' | 'at' | 'marked';

export function paragraph({
  role,
  className = '',
}: {
  role?: string;
  className?: string;
}): HTMLParagraphElement {
  const made = document.createElement('p');
  made.className = className;
  if (role !== undefined) made.setAttribute('role', role);
  return made;
}

export function button(text: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'second';
  made.textContent = text;
  made.addEventListener('click', act);
  return made;
}

/** The document of an answer, in which no script runs. */
export function parse(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html');
}
