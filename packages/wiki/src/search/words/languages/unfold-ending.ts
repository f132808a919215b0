/**
 * The term with the marks that folding took from its ending. A stemmer knows an ending only with its marks: `новыи` has
 * none that it knows, `новый` has. Restores those that hardly any word of the language leaves open. The German stemmer
 * looks at no marks. The Portuguese one knows few plurals, so they become singulars here.
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
  [
    'fr',
    [
      // donnée
      [/ee(?=s?$)/u, 'ée'],
      // première
      [/(?<=i)ere(?=s?$)/u, 'ère'],
    ],
  ],
  [
    'pt',
    [
      // configuração, configurações
      [/c(?:ao|oes)$/u, 'ção'],
      // versão, versões, mãos
      [/(?:aos?|oes)$/u, 'ão'],
      // experiência
      [/encia(?=s?$)/u, 'ência'],
      // variável, variáveis
      [/ave(?:l|is)$/u, 'ável'],
      // disponível, disponíveis
      [/ive(?:l|is)$/u, 'ível'],
      // imagens, jornais
      [/ns$/u, 'm'],
      [/ais$/u, 'al'],
    ],
  ],
]);
