import type { DiagramAnswer, DiagramRequest } from './diagram-frame.ts';

/**
 * Shows diagrams in the place of their text, when they come into view. A frame without an origin draws them; the page
 * takes nothing from it but the source of an image, in which a browser runs no script and loads nothing.
 * @returns a function that does so for those that are in the page, and do not have it done yet.
 */
export function drawerOfDiagrams(): () => void {
  const address = document.body.dataset.diagrams;
  if (address === undefined) return () => undefined;
  const drawer = new Drawer(address);
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        showDiagram(target as HTMLElement, drawer).catch(() => undefined);
      }
    },
    { rootMargin: '50%' },
  );
  const draw = () => {
    const blocks = document.querySelectorAll('article pre:has(> code.diagram):not(.diagram *)');
    for (const block of [...blocks].slice(0, MAX_DIAGRAMS)) seen.observe(block);
  };
  return draw;
}

const MAX_DIAGRAMS = 100;
const MAX_TEXT = 20_000;
const MAX_SVG = 1_000_000;
const MAX_MS = 20_000;

async function showDiagram(block: HTMLElement, drawer: Drawer): Promise<void> {
  const text = block.textContent ?? '';
  const image = document.createElement('img');
  image.alt = 'Diagram; its source follows';
  const draw = async () => {
    const answer = await drawer.draw({ text, dark: DARK.matches });
    if ('problem' in answer) return answer.problem;
    image.src = `data:image/svg+xml,${encodeURIComponent(answer.svg.toWellFormed())}`;
    image.width = answer.width;
    return null;
  };
  const problem = text.length > MAX_TEXT ? 'It is too long.' : await draw();
  if (problem !== null) {
    const notice = element(
      'p',
      { className: 'notice' },
      `This diagram is not drawn. ${problem.slice(0, 300)}`,
    );
    // One element in the place of one: see live/patch.ts.
    const both = element('div', { className: 'diagram' });
    block.replaceWith(both);
    both.append(block, notice);
    return;
  }
  const source = element('details', {}, element('summary', {}, 'Source of the diagram'));
  const figure = element('figure', { className: 'diagram' }, image, source);
  block.replaceWith(figure);
  source.append(block);
  DARK.addEventListener('change', draw);
}

const DARK = matchMedia('(prefers-color-scheme: dark)');

function element(name: string, properties: { className?: string }, ...children: (Node | string)[]) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** The frame, loaded for the first diagram, and again after one that never ends. It draws one at a time. */
class Drawer {
  readonly #address: string;
  #frame: Promise<HTMLIFrameElement> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(address: string) {
    this.#address = address;
  }

  draw(request: DiagramRequest): Promise<DiagramAnswer> {
    const drawn = this.#last.then(() => this.#drawNow(request));
    this.#last = drawn;
    return drawn;
  }

  async #drawNow(request: DiagramRequest): Promise<DiagramAnswer> {
    this.#frame ??= this.#load();
    const frame = await this.#frame;
    const { port1, port2 } = new MessageChannel();
    const answer = await new Promise<object | null>((resolve) => {
      port1.onmessage = ({ data }) => resolve(Object(data));
      // A document without an origin is addressed by "*". Nothing but our own can be in the frame: see `frame-src`.
      frame.contentWindow?.postMessage(request, '*', [port2]);
      setTimeout(() => resolve(null), MAX_MS);
    });
    port1.close();
    if (answer !== null) return readAnswer(answer);
    frame.remove();
    this.#frame = null;
    return { problem: 'It takes too long.' };
  }

  #load(): Promise<HTMLIFrameElement> {
    const frame = document.createElement('iframe');
    frame.className = 'diagram-frame';
    frame.title = 'Draws the diagrams of this page';
    frame.tabIndex = -1;
    frame.setAttribute('aria-hidden', 'true');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.src = this.#address;
    return new Promise((resolve) => {
      frame.onload = () => resolve(frame);
      document.body.append(frame);
    });
  }
}

/** Trusts nothing: a script that got into the frame could answer anything. */
function readAnswer(answer: object): DiagramAnswer {
  const { svg, width, problem } = answer as Record<string, unknown>;
  if (typeof svg === 'string' && svg.length <= MAX_SVG && typeof width === 'number' && width > 0)
    return { svg, width: Math.min(width, 10_000) };
  return { problem: typeof problem === 'string' ? problem : 'It is too large.' };
}
