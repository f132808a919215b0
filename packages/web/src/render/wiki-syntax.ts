import type { Extension as FromMarkdownExtension } from 'mdast-util-from-markdown';
import type { Code, Construct, Extension, State, Token, TokenizeContext } from 'micromark-util-types';
import type { WikiSpan, WikiSpans } from './wiki-spans.ts';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    wikiSpan: 'wikiSpan';
    wikiSpanText: 'wikiSpanText';
    wikiBlock: 'wikiBlock';
  }
}

/**
 * Makes micromark treat the given spans as tokens. `base` is the offset in the page at which its text begins.
 */
export function wikiSyntax({ inline, blocks }: WikiSpans, base: number): Extension {
  const text = spanConstruct(inline, base, 'wikiSpan');
  const flow: Construct = { ...spanConstruct(blocks, base, 'wikiBlock'), concrete: true };
  const extension: Extension = {};
  if (inline.size > 0)
    extension.text = {
      [EXCLAMATION]: text,
      [DOLLAR]: text,
      [PERCENT]: text,
      [EQUALS]: text,
      [BRACKET]: text,
    };
  if (blocks.size > 0) extension.flow = { [DOLLAR]: flow, [PERCENT]: flow };
  return extension;
}

const EXCLAMATION = 33;
const DOLLAR = 36;
const PERCENT = 37;
const EQUALS = 61;
const BRACKET = 91;

function spanConstruct(
  spans: ReadonlyMap<number, WikiSpan>,
  base: number,
  type: 'wikiSpan' | 'wikiBlock',
): Construct {
  return {
    name: type,
    tokenize(this: TokenizeContext, effects, ok, nok): State {
      const end = (spans.get(this.now().offset + base)?.end ?? -1) - base;
      const offset = () => this.now().offset;
      function start(code: Code): State | undefined {
        if (end < 0) return nok(code);
        effects.enter(type);
        return next(code);
      }
      function next(code: Code): State | undefined {
        if (offset() >= end) {
          effects.exit(type);
          return ok(code);
        }
        if (code === null) return nok(code);
        if (code < -2) {
          effects.enter('lineEnding');
          effects.consume(code);
          effects.exit('lineEnding');
          return next;
        }
        effects.enter('wikiSpanText');
        return inside(code);
      }
      function inside(code: Code): State | undefined {
        if (offset() >= end || code === null || code < -2) {
          effects.exit('wikiSpanText');
          return next(code);
        }
        effects.consume(code);
        return inside;
      }
      return start;
    },
  };
}

/** Builds the node of a span with `build`, which returns null for a span that shows nothing. */
export function wikiFromMarkdown(
  { inline, blocks }: WikiSpans,
  base: number,
  build: { inline(span: WikiSpan): Phrasing; block(span: WikiSpan): Block },
): FromMarkdownExtension {
  const spanAt = (spans: ReadonlyMap<number, WikiSpan>, token: Token): WikiSpan =>
    spans.get(token.start.offset + base) ?? { kind: 'comment', end: 0 };
  return {
    enter: {
      wikiSpan(token) {
        this.enter(build.inline(spanAt(inline, token)), token);
      },
      wikiBlock(token) {
        this.enter(build.block(spanAt(blocks, token)), token);
      },
    },
    exit: {
      wikiSpan(token) {
        this.exit(token);
      },
      wikiBlock(token) {
        this.exit(token);
      },
    },
  };
}

type Phrasing =
  | import('mdast').Link
  | import('mdast').Image
  | import('mdast').InlineCode
  | import('mdast').Break;
type Block = import('mdast').Paragraph;
