import type { NodeHoverDrawingFunction } from 'sigma/rendering';

/** The name of a node under the pointer, on the colour of the page: sigma's own is always white. */
export function drawHover(paper: () => string): NodeHoverDrawingFunction {
  return (context, data, { labelSize, labelFont, labelColor }) => {
    const { x, y, size, label } = data;
    context.font = `600 ${labelSize}px ${labelFont}`;
    if (!label) return;
    const shown = label.length > MAX_CHARACTERS ? `${label.slice(0, MAX_CHARACTERS).toWellFormed()}…` : label;
    context.fillStyle = paper();
    const left = x + size + 3;
    context.fillRect(left - 3, y - labelSize * 0.8, context.measureText(shown).width + 6, labelSize * 1.6);
    context.fillStyle = labelColor.color ?? '';
    context.fillText(shown, left, y + labelSize / 3);
  };
}

const MAX_CHARACTERS = 80;
