import type { Schema } from 'hast-util-sanitize';
import { MATH_NAMES } from './formulas/math-names.ts';

/**
 * The HTML that a page may have, no matter who wrote it. Everything else is removed: elements leave their
 * text, attributes leave nothing.
 */
export const SCHEMA: Schema = {
  strip: ['script', 'style', 'template', 'iframe', 'object', 'noscript', 'annotation'],
  clobber: [],
  clobberPrefix: '',
  allowComments: false,
  allowDoctypes: false,
  protocols: { href: ['http', 'https', 'mailto'], src: [] },
  required: { input: { type: 'checkbox', disabled: true } },
  ancestors: {
    tbody: ['table'],
    td: ['table'],
    th: ['table'],
    thead: ['table'],
    tfoot: ['table'],
    tr: ['table'],
    caption: ['table'],
    li: ['ol', 'ul'],
    summary: ['details'],
    ...Object.fromEntries([...MATH_NAMES].filter((name) => name !== 'math').map((name) => [name, ['math']])),
  },
  tagNames: [
    ...words(
      'a abbr b bdi bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption figure',
    ),
    ...words(
      'h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ol p pre q rp rt ruby s samp section small span',
    ),
    ...words('strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var wbr'),
    ...MATH_NAMES,
  ],
  attributes: {
    '*': ['id', 'title', 'lang', ['dir', 'ltr', 'rtl', 'auto'], ['align', 'left', 'right', 'center']],
    a: [
      'href',
      ['rel', 'nofollow', 'noopener', 'noreferrer'],
      ['className', /^(?:link|image)-(?:foreign|broken)$/, 'data-footnote-backref'],
      'ariaLabel',
      'ariaDescribedBy',
      'dataFootnoteRef',
      'dataFootnoteBackref',
    ],
    img: ['src', 'alt', 'width', 'height', ['loading', 'lazy'], ['className', 'forced']],
    code: [['className', /^language-/, 'hljs', 'diagram']],
    span: [
      ['className', /^hljs-/, 'image-broken', 'math', 'math-display', 'language_', 'function_', 'class_'],
    ],
    div: [['className', 'embed', 'notice', 'callout', /^callout-[a-z-]+$/]],
    details: [['className', 'callout', /^callout-[a-z-]+$/], 'open'],
    summary: [['className', 'callout-title']],
    p: [['className', 'callout-title', 'embed-source', 'notice']],
    pre: [['className', 'plain-text']],
    h2: [['className', 'sr-only']],
    section: [['className', 'footnotes'], 'dataFootnotes'],
    ul: [['className', 'contains-task-list']],
    ol: [['className', 'contains-task-list'], 'start', 'reversed', ['type', '1', 'a', 'A', 'i', 'I']],
    li: [['className', 'task-list-item'], 'value'],
    input: [['type', 'checkbox'], ['disabled', true], 'checked', 'ariaLabel'],
    td: ['colSpan', 'rowSpan'],
    th: ['colSpan', 'rowSpan', 'scope'],
    math: [['display', 'block'], 'xmlns'],
    mi: [['mathvariant', /^[a-z-]+$/]],
    mo: [
      'accent',
      'fence',
      'form',
      'stretchy',
      'symmetric',
      'separator',
      'largeop',
      'movablelimits',
      ...sizes(),
    ],
    mn: [['mathvariant', /^[a-z-]+$/]],
    mtext: [['mathvariant', /^[a-z-]+$/]],
    mspace: ['linebreak', ...sizes()],
    mover: ['accent'],
    munder: ['accentunder'],
    mfrac: ['linethickness'],
    mtable: ['columnalign', 'columnspacing', 'rowspacing', 'columnlines', 'rowlines'],
    mstyle: ['scriptlevel', 'displaystyle', ['mathcolor', /^#?[\w]+$/]],
    mpadded: ['voffset', ...sizes()],
    menclose: ['notation'],
  },
};

function words(list: string): string[] {
  return list.split(' ');
}

function sizes(): string[] {
  return words('lspace rspace width height depth minsize maxsize');
}
