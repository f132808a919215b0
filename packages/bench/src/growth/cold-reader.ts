import { once } from 'node:events';
import { openWiki } from '@pagetree/wiki';
import { operations } from '@pagetree/wiki/contract';

/** A client that comes new: `cold-reader.ts PAGE` opens the wiki on the mount, reads one page, says so, and waits. */
const host = { backend: 'bench', versions: {}, problems: [] };
const { wiki } = await openWiki({ directory: '/mnt/efs', wiki: 'main', placement: 'shared', host });
const caller = { author: { name: 'Bench', email: 'bench@example.org' }, agent: null };
const { content } = await wiki.read_page(operations.read_page.input.parse({ path: process.argv[2] }), {
  caller,
});
if (content === '') throw new Error('The page is empty.');
process.stdout.write('read\n');
await once(process.stdin.resume(), 'end');
process.exit();
