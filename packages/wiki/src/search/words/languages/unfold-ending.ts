/**
 * The term with the marks that folding took from its ending. A stemmer knows an ending only with its marks: `новыи` has
 * none that it knows, `новый` has. Restores those that hardly any word of the language leaves open. The German stemmer
 * looks at no marks.
 */
export function unfoldEnding(language: string, term: string): string {
  let unfolded = term;
  for (const [pattern, ending] of ENDINGS.get(language) ?? []) unfolded = unfolded.replace(pattern, ending);
  return unfolded;
}

type Ending = readonly [folded: RegExp, ending: string];

const ENDINGS: ReadonlyMap<string, readonly Ending[]> = new Map([
  [
    'ru',
    [
      // новый, большой, синий, случай, учащийся
      [/(?<=[аеиоуыэюя])и(?=(?:с[яь])?$)/u, 'й'],
      // используйте, имейте
      [/(?<=[еу])ите(?=(?:сь)?$)/u, 'йте'],
      // новейший
      [/еиш(?=[аеиоуыюя])/u, 'ейш'],
      // сайт, файл, читайте: ит and ил would be endings of verbs
      [/аи(?=[^аеиоуыэюя])/gu, 'ай'],
    ],
  ],
  [
    'es',
    [
      // dirección, solución, conexión
      [/(?<=[csx]i)on$/u, 'ón'],
      // tecnología
      [/(?<=log)ia(?=s?$)/u, 'ía'],
    ],
  ],
]);
