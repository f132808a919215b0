import { OTHERS } from './files/private-file-system.ts';

/**
 * The settings of one git configuration file, by lower-case `section.name` or `section.Subsection.name`. The
 * last value wins.
 */
export type GitConfig = ReadonlyMap<string, string>;

/**
 * Parses git's configuration format as far as repositories use it: sections, subsections, quoted values,
 * comments. Does not read included files: git writes no includes into a repository.
 */
export function parseGitConfig(text: string): GitConfig {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.replace(/((?:^|[^\\])(?:\\\\)*)\\\n/g, '$1').split('\n')) {
    const heading = HEADING.exec(line.trim());
    if (heading) {
      section = heading[1]?.toLowerCase() + (heading[2] === undefined ? '' : `.${unescaped(heading[2])}`);
    }
    const setting = SETTING.exec(heading ? line.trim().slice(heading[0].length).trim() : line.trim());
    if (setting) settings.set(`${section}.${setting[1]?.toLowerCase()}`, parseValue(setting[2]));
  }
  return settings;
}

/** A boolean setting as git reads it; `fallback` if it is absent. */
export function isTrue(config: GitConfig, name: string, fallback: boolean): boolean {
  const value = config.get(name)?.toLowerCase();
  return value === undefined ? fallback : !['false', 'no', 'off', '0', ''].includes(value);
}

/** True if `core.sharedRepository` gives other users rights, as git reads it. */
export function givesOthersRights(config: GitConfig): boolean {
  const value = config.get('core.sharedrepository')?.toLowerCase() ?? 'umask';
  if (['group', 'all', 'world', 'everybody', 'true', 'yes', 'on', '1', '2'].includes(value)) return true;
  return /^0[0-7]{3}$/.test(value) && (Number.parseInt(value, 8) & OTHERS) !== 0;
}

const HEADING = /^\[([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]/;
const SETTING = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/;

/**
 * A name without a value is true. Quoted and escaped characters stand for themselves. A comment ends the
 * value, and trailing blanks do not count.
 */
function parseValue(raw: string | undefined): string {
  if (raw === undefined) return 'true';
  const parts = [...raw.matchAll(/"((?:[^"\\]|\\.)*)"|(\\.)|([^"\\#;]+)|[#;].*/g)];
  const last = parts.findLastIndex(([part]) => !/^[#;]/.test(part));
  return parts
    .slice(0, last + 1)
    .map(([, quoted, escaped, plain], at) => {
      if (plain === undefined) return unescaped(quoted ?? escaped ?? '');
      return at === last ? plain.trimEnd() : plain;
    })
    .join('');
}

function unescaped(text: string): string {
  return text.replace(
    /\\(.)/g,
    (_, character: string) => ({ n: '\n', t: '\t', b: '\b' })[character] ?? character,
  );
}
