/** The settings in one git configuration file: lower-case `section.name` or `section.Subsection.name`, last one wins. */
export type GitConfig = ReadonlyMap<string, string>;

/**
 * Reads the format of git's configuration as far as repositories use it: sections, subsections, quoted values,
 * comments. Files that are included are not read: git writes none into a repository.
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

/** Git's reading of a boolean setting; `fallback` where it is absent. */
export function isTrue(config: GitConfig, name: string, fallback: boolean): boolean {
  const value = config.get(name)?.toLowerCase();
  return value === undefined ? fallback : !['false', 'no', 'off', '0', ''].includes(value);
}

const HEADING = /^\[([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\]/;
const SETTING = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/;

/**
 * A name without a value is true. What is quoted or escaped stands for itself; a comment ends the value, and
 * blanks at its end do not count.
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
