import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { yamlFrontmatter } from '@codemirror/lang-yaml';
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state';

/**
 * Markdown, with YAML where the page begins with frontmatter. `yamlFrontmatter` alone takes all after a rule in the first
 * line for YAML, and a person who begins to write frontmatter would see the page lose its colors.
 */
export function pageLanguage(text: Text): Extension {
  const page = markdown({ base: markdownLanguage, completeHTMLTags: false });
  const withFrontmatter = yamlFrontmatter({ content: page });
  const language = new Compartment();
  const languageOf = (content: Text) => (hasFrontmatter(content) ? withFrontmatter : page);
  return [
    language.of(languageOf(text)),
    EditorState.transactionExtender.of(({ docChanged, newDoc, startState }) => {
      if (!docChanged || hasFrontmatter(newDoc) === hasFrontmatter(startState.doc)) return null;
      return { effects: language.reconfigure(languageOf(newDoc)) };
    }),
  ];
}

function hasFrontmatter(text: Text): boolean {
  if (text.line(1).text !== '---') return false;
  for (const line of text.iterLines(2)) if (line === '---') return true;
  return false;
}
