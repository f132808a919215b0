import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from 'sigma/rendering';

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Draws the names of nodes in the colors of the page. Sigma's own names cover each other, and under the pointer they are
 * always on white.
 */
export class NameDrawer {
  readonly #paper: () => string;
  #taken: Box[] = [];

  constructor(paper: () => string) {
    this.#paper = paper;
  }

  /** Begins a new frame, in which no name is drawn yet. */
  beginFrame(): void {
    this.#taken = [];
  }

  /** Draws the name of a node if no other name is in its place. */
  readonly drawName: NodeLabelDrawingFunction = (context, data, settings) => {
    const name = shortened(data.label, MAX_CHARACTERS);
    if (name === '') return;
    context.font = `${settings.labelSize}px ${settings.labelFont}`;
    const box = boxOf(context, name, data, settings.labelSize);
    if (this.#taken.some((other) => overlap(box, other))) return;
    this.#taken.push(box);
    // An outline in the color of the page parts the name from the links behind it.
    context.strokeStyle = this.#paper();
    context.lineWidth = 3;
    context.lineJoin = 'round';
    context.strokeText(name, box.left, data.y + settings.labelSize / 3);
    context.fillStyle = settings.labelColor.color ?? '';
    context.fillText(name, box.left, data.y + settings.labelSize / 3);
  };

  /** Draws the name of the node under the pointer, above all others. */
  readonly drawHover: NodeHoverDrawingFunction = (context, data, settings) => {
    const name = shortened(data.label, MAX_CHARACTERS_UNDER_POINTER);
    if (name === '') return;
    context.font = `600 ${settings.labelSize}px ${settings.labelFont}`;
    const { left, top, right, bottom } = boxOf(context, name, data, settings.labelSize);
    context.fillStyle = this.#paper();
    context.fillRect(left - 3, top, right - left + 6, bottom - top);
    context.fillStyle = settings.labelColor.color ?? '';
    context.fillText(name, left, data.y + settings.labelSize / 3);
  };
}

const MAX_CHARACTERS = 32;
const MAX_CHARACTERS_UNDER_POINTER = 80;

function shortened(label: string | null | undefined, most: number): string {
  if (!label) return '';
  return label.length > most ? `${label.slice(0, most).toWellFormed()}…` : label;
}

/** The place of a name: right of its node, or left of it where the picture ends. */
function boxOf(
  context: CanvasRenderingContext2D,
  name: string,
  { x, y, size }: { x: number; y: number; size: number },
  height: number,
): Box {
  const { width } = context.measureText(name);
  const gap = size + 3;
  const hasRoom = x + gap + width < context.canvas.clientWidth;
  const left = hasRoom ? x + gap : x - gap - width;
  return { left, top: y - 0.8 * height, right: left + width, bottom: y + 0.8 * height };
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
