import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** In the colors of the page, which are others in the dark. */
export const colors: Extension = [
  EditorView.theme({
    '&': {
      border: '1px solid var(--quiet)',
      borderRadius: '6px',
      background: 'var(--paper)',
      color: 'var(--ink)',
      // A phone enlarges the page for smaller text.
      fontSize: '1rem',
    },
    // The host of the shadow root has it.
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { maxHeight: '70vh', fontFamily: 'var(--mono)', lineHeight: '1.5' },
    '.cm-content': { minHeight: '24rem', padding: '0.6rem 0', caretColor: 'var(--ink)' },
    '.cm-line': { padding: '0 0.75rem', overflowWrap: 'anywhere' },
    '.cm-panels': { background: 'var(--raised)', color: 'var(--ink)' },
    '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
    '.cm-panel.cm-search': { fontSize: '1rem', padding: '0.5rem 2rem 0.5rem 0.5rem' },
    '.cm-panel.cm-search label': { display: 'inline-block', fontSize: '0.9rem' },
    '.cm-panel.cm-search [name=close]': { minWidth: '1.5rem', minHeight: '1.5rem', color: 'inherit' },
    '.cm-textfield, .cm-button': {
      maxWidth: '100%',
      padding: '0.3rem 0.6rem',
      border: '1px solid var(--quiet)',
      borderRadius: '4px',
      background: 'var(--paper)',
      color: 'var(--ink)',
      fontSize: '0.9rem',
    },
    '.cm-searchMatch': { background: 'var(--mark)', color: 'inherit' },
    '.cm-searchMatch-selected': { background: 'var(--mark)', outline: '2px solid var(--accent)' },
    '.cm-selectionMatch': { background: 'var(--raised)' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.heading, fontWeight: '700', color: 'var(--code-name)' },
      { tag: tags.strong, fontWeight: '700' },
      { tag: tags.emphasis, fontStyle: 'italic' },
      { tag: tags.strikethrough, textDecoration: 'line-through' },
      { tag: [tags.link, tags.url], color: 'var(--link)' },
      { tag: tags.monospace, color: 'var(--code-string)' },
      { tag: [tags.tagName, tags.keyword], color: 'var(--code-keyword)' },
      { tag: tags.propertyName, color: 'var(--code-name)' },
      { tag: tags.string, color: 'var(--code-string)' },
      { tag: [tags.processingInstruction, tags.quote, tags.comment, tags.meta], color: 'var(--quiet)' },
    ]),
  ),
];

/** Around the editor, in its shadow root. */
export const SHEET = `
  #help { margin: 0.3rem 0 0; color: var(--quiet); font-size: 0.9rem; }
  @media (pointer: coarse) { #help span { display: none; } }
  :host(:focus-within), button:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
