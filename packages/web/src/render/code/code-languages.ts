import { common, createLowlight } from 'lowlight';

// `import()` of lowlight itself would load all of its languages.

/** The common languages: the name of each by its aliases, and what highlights code in it. */
export function openLanguages() {
  const names = new Map<string, string>();
  const { highlight, register } = createLowlight();
  for (const [name, grammar] of Object.entries(common)) {
    register(name, (hljs) => {
      const language = grammar(hljs);
      for (const alias of [name, ...(language.aliases ?? [])]) names.set(alias.toLowerCase(), name);
      return language;
    });
  }
  return { names, highlight };
}
