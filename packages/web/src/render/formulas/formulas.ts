import type { Element, ElementContent } from 'hast';

/**
 * Turns formulas into MathML, which browsers show without a script, a style or a font of ours. A formula that
 * KaTeX refuses, or that exceeds the limit, stays as it is written.
 */
export async function renderFormulas(
  formulas: readonly { element: { children?: ElementContent[] }; value: string; display: boolean }[],
): Promise<void> {
  if (formulas.length === 0) return;
  const { default: katex } = await import('katex');
  const { fromHtml } = await import('hast-util-from-html');
  let left = MAX_CHARACTERS;
  for (const { element, value, display } of formulas) {
    left -= value.length + COST_OF_ONE;
    if (left < 0 || value.length > MAX_FORMULA) continue;
    const html = attempt(() =>
      katex.renderToString(value, {
        displayMode: display,
        output: 'mathml',
        trust: false,
        strict: 'ignore',
        maxSize: 20,
        maxExpand: 200,
      }),
    );
    const math =
      html === null || html.length > MAX_OUTPUT
        ? undefined
        : firstMath(fromHtml(html, { fragment: true }).children);
    if (math !== undefined) element.children = [math];
  }
}

const MAX_CHARACTERS = 60_000;
const MAX_FORMULA = 2_000;
const MAX_OUTPUT = 100_000;
const COST_OF_ONE = 100;

/** KaTeX throws on invalid formulas, and some are nested too deep for its recursion. */
function attempt(render: () => string): string | null {
  try {
    return render();
  } catch {
    return null;
  }
}

/** The `math` element without the source that KaTeX puts beside it. */
function firstMath(nodes: readonly unknown[]): Element | undefined {
  for (const node of nodes as Element[]) {
    if (node.type !== 'element') continue;
    if (node.tagName !== 'math') return firstMath(node.children);
    const [semantics] = node.children;
    const isWrapped = semantics?.type === 'element' && semantics.tagName === 'semantics';
    return isWrapped ? { ...node, children: semantics.children.slice(0, 1) } : node;
  }
  return undefined;
}
