import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** The usage of a command, printed instead of running it: after `--help`, or after a mistake in the arguments. */
export class Usage extends Error {
  /** True if the person requested it. */
  readonly wanted: boolean;

  constructor(text: string, wanted: boolean) {
    super(text);
    this.wanted = wanted;
  }
}

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options }>
>['values'];

/** Reads the options of `pnpm bench NAME`, with `--help` among them. @throws Usage */
export function readOptions<const Options extends ParseArgsOptionsConfig>(
  name: string,
  args: readonly string[],
  options: Options,
): Values<Options> {
  const { help, rest } = withoutHelp(args);
  let values: Values<Options>;
  try {
    values = parseArgs({ args: rest, options }).values;
  } catch (error) {
    // parseArgs says in a sentence what it does not understand.
    const mistake = error instanceof Error ? error.message : String(error);
    throw new Usage(`${mistake}\n${usageOf(name, options)}`, false);
  }
  if (help) throw new Usage(usageOf(name, options), true);
  return values;
}

function withoutHelp(args: readonly string[]): { help: boolean; rest: string[] } {
  const rest = args.filter((argument) => argument !== '--help');
  return { help: rest.length < args.length, rest };
}

function usageOf(name: string, options: ParseArgsOptionsConfig): string {
  const parts = Object.entries(options).map(([option, { type, default: value }]) => {
    if (type === 'boolean') return `[--${option}]`;
    return `[--${option} ${value === undefined ? 'VALUE' : value}]`;
  });
  return ['Usage: pnpm bench', name, ...parts].join(' ');
}
