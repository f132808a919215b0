import { chownSync, cpSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { invokeWiki } from '../../../labs/lambda-lab/invoke-wiki.ts';
import type { LambdaLab } from '../../../labs/lambda-lab/lambda-lab.ts';
import type { Request } from '../../wiki/src/contract/envelope.ts';
import { git } from '../../wiki/test/native-git.ts';
import { commitFiles } from '../../wiki/test/operations/local-backends.ts';
import type { Backend } from '../../wiki/test/operations/test-wiki.ts';

/** A running lab, and the path in this process of the function's PAGETREE_DIR. */
export interface LambdaPlace {
  lab: LambdaLab;
  directory: string;
}

const caller = { author: { name: 'A Test', email: 'test@example.org' }, agent: null };

/** The wikis that a lab's function serves. Each test has a name of its own, which goes with every request. */
export function lambdaBackend(name: string, place: () => LambdaPlace): Backend {
  let wikis = 0;
  return {
    name,
    async open(files) {
      const { lab, directory } = place();
      wikis += 1;
      const wikiName = `test-${wikis}`;
      const repository = join(directory, `${wikiName}.git`);
      // A copy: in nfs-lab it takes a tenth of a second to start git.
      const empty = join(directory, 'empty');
      if (wikis === 1) git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', empty]);
      cpSync(empty, repository, { recursive: true });
      commitFiles(repository, files);
      giveTo(statSync(directory), repository);
      const { wiki, close } = invokeWiki(lab, {
        attempts: 20,
        change: (request) => inWiki(wikiName, request),
      });
      onTestFinished(close);
      return {
        wiki,
        git: (words) => git(repository, words),
        // Any environment that answers brings the branch to the newest commit of all.
        settle: async () => {
          await wiki.wiki_status({}, { caller });
        },
      };
    },
  };
}

/** A call for all wikis names none. */
function inWiki(wiki: string, request: Request): Request {
  const input = request.input as { all?: boolean };
  return input.all === true ? request : { ...request, input: { wiki, ...input } };
}

/** Gives files to the owner of the directory of wikis, the user under which the function writes. */
function giveTo(owner: { uid: number; gid: number }, path: string): void {
  for (const entry of ['.', ...readdirSync(path, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(path, entry), owner.uid, owner.gid);
  }
}
