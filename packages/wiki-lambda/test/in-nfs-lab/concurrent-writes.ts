import { invokeWiki } from '../../../../labs/lambda-lab/invoke-wiki.ts';
import { startLambdaLab } from '../../../../labs/lambda-lab/lambda-lab.ts';
import { nfsDirectory, nfsPlaces } from '../../../../labs/lambda-lab/nfs-places.ts';
import { functionDirectory } from '../../build.ts';
import { call, countOf, persistently } from '../persistent-client.ts';
import { linesOf, nativeView } from './server-side.ts';

/**
 * `concurrent-writes.ts ENVIRONMENTS ROUNDS AT_ONCE APPENDS`, inside nfs-lab beside its server: rounds of simultaneous
 * writes of pages, then simultaneous appends to one page. Prints as JSON what was acknowledged and what throttling did.
 */
const [environments = 5, rounds = 0, atOnce = 0, appends = 0] = process.argv.slice(2).map(Number);

const lab = await startLambdaLab({
  code: functionDirectory,
  places: nfsPlaces(),
  concurrency: environments,
  variables: { PAGETREE_DIR: nfsDirectory },
});
const { wiki, close } = invokeWiki(lab);
const write = (path: string) => wiki.write_page({ path, content: path, allow_shrink: false }, call);
const append = (text: string) =>
  persistently(() =>
    wiki.append_to_page({ path: 'Log', content: text, request_id: `append-${text}`, create: true }, call),
  );

// The first call makes the wiki, and the next ones start every environment: a round is about writing.
await wiki.wiki_status({}, call);
await Promise.all(Array.from({ length: environments }, () => persistently(() => wiki.wiki_status({}, call))));
const acknowledged: string[] = [];
const refused: string[] = [];
for (let round = 0; round < rounds; round += 1) {
  const paths = Array.from({ length: atOnce }, (_, writer) => `Round ${round}/Page ${writer}`);
  const answers = await Promise.allSettled(paths.map(write));
  acknowledged.push(...paths.filter((_, i) => answers[i]?.status === 'fulfilled'));
  refused.push(...answers.flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason)] : [])));
}
const appended = await Promise.all(Array.from({ length: appends }, (_, i) => append(`line-${i}`)));
// Brings the branch to the end, for native git.
await wiki.wiki_status({}, call);
process.stdout.write(
  JSON.stringify({
    environments: (await lab.environments()).length,
    acknowledged: acknowledged.length,
    refused,
    appended: appended.length,
    failures: countOf(appended.flatMap(({ failures }) => failures)),
    logLines: linesOf('Log'),
    ...nativeView(),
  }),
);
close();
await lab.stop();
