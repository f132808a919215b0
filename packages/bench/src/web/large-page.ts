import { randomNumbers } from '../../../../labs/wikis/wiki-text.ts';

/** A page of about 20 kB with what people write: sections, lists, code, tables, links and footnotes. */
export function largePage(seed: number, links: readonly string[]): string {
  const random = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const sentence = () => {
    const words = Array.from({ length: 8 + Math.floor(random() * 9) }, () => pick(WORDS)).join(' ');
    return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  };
  const paragraph = () =>
    `${sentence()} **${pick(WORDS)} ${pick(WORDS)}** ${sentence()} See [[${pick(links)}]]. \`${pick(WORDS)}\` ${sentence()}`;
  let text = `---\ntags: [bench]\n---\n# A large page ${seed}\n\n`;
  for (let section = 0; text.length < LENGTH; section += 1) {
    text += `## Section ${section}\n\n${paragraph()}\n\n${paragraph()}\n\n- ${sentence()}\n- ${sentence()}\n\n`;
    if (section % 3 === 0)
      text += `\`\`\`ts\nexport function f${section}(a: number) {\n  return \`\${a}\`;\n}\n\`\`\`\n\n`;
    if (section % 4 === 1)
      text += `| A | B |\n| --- | ---: |\n${`| ${pick(WORDS)} | ${sentence()} |\n`.repeat(5)}\n`;
    if (section % 5 === 2)
      text += `> ${sentence()}\n\nA footnote[^${section}].\n\n[^${section}]: ${sentence()}\n\n`;
  }
  return text;
}

const LENGTH = 20_000;
const WORDS =
  'the wiki keeps every change as one commit and a reader sees who made it when why because agents write while people look at pages that other link to'.split(
    ' ',
  );
