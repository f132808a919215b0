import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Confirmed } from './deployed-stack.ts';

export const USAGE = `Usage: pnpm synth | deploy:aws | access:aws | diff:aws | destroy:aws | bootstrap:aws [--configuration FILE] [--yes] [--new-wikis] [--restored] [--client-secret-file FILE] [-- options of cdk]

--configuration FILE       instead of packages/infra/pagetree.json
--yes                      destroy without asking
--new-wikis                deploy a new stack, which has a file system without wikis
--restored                 deploy with a fileSystem.directory that holds a restored backup
--client-secret-file FILE  deploy with the secret that the issuer of the pages gave, which is stored encrypted
--help                     show this
`;

const COMMANDS = ['synth', 'deploy', 'access', 'diff', 'destroy', 'bootstrap'] as const;
export type Command = (typeof COMMANDS)[number];

export interface Options {
  command: Command;
  file: string;
  yes: boolean;
  confirmed: Confirmed;
  /** The file with the secret of the client at the issuer. */
  secretFile: string | null;
  /** The options of cdk. */
  rest: string[];
}

export function readOptions(args: readonly string[]): Options | 'help' | { mistake: string } {
  const end = args.indexOf('--');
  const ours = end < 0 ? args : args.slice(0, end);
  try {
    const { values, positionals } = parseArgs({
      args: [...ours],
      options: {
        configuration: { type: 'string' },
        yes: { type: 'boolean', default: false },
        'new-wikis': { type: 'boolean', default: false },
        restored: { type: 'boolean', default: false },
        'client-secret-file': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const [name, extra] = positionals;
    const command = COMMANDS.find((each) => each === name);
    if (!command || extra !== undefined)
      return { mistake: `${JSON.stringify(extra ?? name ?? '')} is not a command.` };
    if (values.help) return 'help';
    const secretFile = values['client-secret-file'] ?? null;
    if (secretFile !== null && command !== 'deploy')
      return { mistake: '--client-secret-file is for a deployment alone.' };
    return {
      command,
      file: values.configuration
        ? resolve(values.configuration)
        : fileURLToPath(new URL('../pagetree.json', import.meta.url)),
      yes: values.yes,
      confirmed: { newWikis: values['new-wikis'], restored: values.restored },
      secretFile,
      rest: end < 0 ? [] : args.slice(end + 1),
    };
  } catch (error) {
    // parseArgs says in a sentence why it cannot parse the arguments.
    return { mistake: error instanceof Error ? error.message : String(error) };
  }
}

/** True if cdk deploys nothing with these options, though it ends without a failure. */
export function changesNothing({ rest }: Pick<Options, 'rest'>): boolean {
  return WITHOUT_CHANGE.test(rest.join(' '));
}

const WITHOUT_CHANGE =
  /(?:^| )(?:--no-execute|--execute[= ]false|(?:-m|--method)[= ]?prepare-change-set|--help|-h|--version)(?: |$)/;
