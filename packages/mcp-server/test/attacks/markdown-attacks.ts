import { expect } from 'vitest';
import { hostileTexts } from '../../../wiki/test/text/hostile-texts.ts';
import { type Attack, callTool, type Targets } from './attack.ts';

const LENGTH = 100_000;
/** Nearly the maximum size of a page. */
const LONGEST = 1_900_000;

/** Each call examines the structure of a page. */
const WAYS: readonly [tool: string, args: Record<string, unknown>, answers: readonly string[]][] = [
  ['read_page', {}, ['ok']],
  ['read_page', { heading: 'A' }, ['ok', 'no_match', 'ambiguous_match']],
  ['get_links', {}, ['ok']],
  [
    'edit_section',
    { heading: 'A', operation: 'append', content: 'x' },
    ['ok', 'no_match', 'ambiguous_match'],
  ],
];

/** Writes the page and reads it in every way. */
function attackOf(name: string, make: () => string): Attack {
  return {
    name,
    on: 'whole',
    answers: ['ok'],
    async act({ whole }, round) {
      const path = `markdown/${round}`;
      const written = await callTool(whole, 'write_page', { wiki: 'main', path, content: make() });
      if (written.code !== 'ok') return written;
      for (const [tool, args, answers] of WAYS) {
        const { code, text } = await callTool(whole, tool, { path, ...args });
        expect(answers, `${tool}: ${text.slice(0, 300)}`).toContain(code);
        expect(text.length).toBeLessThanOrEqual(40_000);
      }
      return written;
    },
  };
}

/** The same with each call as an attack of its own, as a bound holds for one call. */
function attacksOf(name: string, make: () => string): Attack[] {
  let path: string | null = null;
  async function write(whole: Targets['whole'], round: string) {
    path = `markdown/${round}`;
    return callTool(whole, 'write_page', { wiki: 'main', path, content: make() });
  }
  return [
    {
      name: `${name}: write_page`,
      on: 'whole',
      answers: ['ok'],
      act: ({ whole }, round) => write(whole, round),
    },
    ...WAYS.map(
      ([tool, args, answers]): Attack => ({
        name: `${name}: ${tool}${'heading' in args ? ' of a heading' : ''}`,
        on: 'whole',
        answers,
        async act({ whole }, round) {
          if (path === null) await write(whole, round);
          return callTool(whole, tool, { path, ...args });
        },
      }),
    ),
  ];
}

/** A page of maximum length, for each class that was once slow. */
const LONG = ['headings', 'listthen2', 'wlinks', 'zalgo', 'defs', 'hr2', 'table', 'lta'];

export const markdownAttacks: Attack[] = [
  ...Object.entries(hostileTexts).map(([name, make]) => attackOf(name, () => make(LENGTH))),
  ...LONG.flatMap((name) =>
    attacksOf(`${name}, as long as may be`, () => `${hostileTexts[name]?.(LONGEST / 2)}`),
  ),
];
