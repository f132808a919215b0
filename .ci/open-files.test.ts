import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const SETUP = fileURLToPath(new URL('./left-behind.mjs', import.meta.url));

const FORGOTTEN = [
  ...['a descriptor', 'a stream', 'a directory', 'a database', 'to watch'],
  ...['to watch a file', 'a later directory', 'a server', 'a process', 'a socket', 'a thread'],
];

test.concurrent.for([true, false])(
  'a test file that leaves a file open fails, and no other (isolate: %s)',
  async (isolate, { onTestFinished }) => {
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'pagetree-open-files-')));
    onTestFinished(() => rm(directory, { recursive: true }));
    const writeTest = (name: string, source: string) => writeFile(join(directory, `${name}.test.js`), source);
    const imports = "import { open } from 'node:fs/promises';\n";
    await writeTest(
      'a-leaks',
      `${imports} test('forgets', async () => { globalThis.kept = await open('.'); });`,
    );
    await writeTest(
      'b-closes',
      `${imports} test('cares', async () => { await (await open('.')).close(); });`,
    );
    await writeTest(
      'c-closes-later',
      `${imports} test('cares', async () => { const file = await open('.'); setTimeout(() => file.close(), 200); });`,
    );
    await writeTest(
      'd-stream',
      `${imports} test('reads', async () => {
    const file = await open(import.meta.filename);
    for await (const chunk of file.createReadStream()) if (chunk.length === 0) throw new Error();
  });`,
    );
    const ofSync = "import { closeSync, openSync, opendirSync } from 'node:fs';\n";
    await writeTest('e-sync', `${ofSync} test('forgets it too', () => { openSync('.', 'r'); });`);
    await writeTest('f-directory', `${ofSync} test('forgets another', () => { opendirSync('.'); });`);
    await writeTest(
      'g-sync-closes',
      `${ofSync} test('cares', async () => {
    closeSync(openSync('.', 'r'));
    opendirSync('.').closeSync();
    for await (const entry of opendirSync('.')) entry.isFile();
  });`,
    );
    await writeTest(
      'h-others',
      `import { spawn } from 'node:child_process';
    import { createReadStream, open, opendir as opendirLater, watch, watchFile } from 'node:fs';
    import { opendir } from 'node:fs/promises';
    import { createServer } from 'node:http';
    import { DatabaseSync } from 'node:sqlite';
    import { createSocket } from 'node:dgram';
    import { Worker } from 'node:worker_threads';
    test('forgets a descriptor', () => new Promise((done) => open('.', 'r', done)));
    test('forgets a stream', () => new Promise((done) => createReadStream(import.meta.filename).once('open', done)));
    test('forgets a directory', async () => { globalThis.kept = await opendir('.'); });
    test('forgets a database', () => { new DatabaseSync(':memory:').prepare('SELECT 1'); });
    test('forgets to watch', () => { watch('.'); });
    test('forgets to watch a file', () => { watchFile('.', () => {}); });
    test('forgets a later directory', () => new Promise((done) => opendirLater('.', done)));
    test('forgets a server', () => new Promise((done) => createServer().listen(0, done)));
    test('forgets a process', () => new Promise((done) => spawn('sleep', ['1000']).once('spawn', done)));
    test('forgets a socket', () => { createSocket('udp4'); });
    test('forgets a thread', () => { new Worker('setInterval(() => {}, 1000)', { eval: true }); });`,
    );
    await writeTest(
      'i-others-closed',
      `import { execFileSync, spawn } from 'node:child_process';
    import { close, createReadStream, createWriteStream, open, opendir as opendirLater, unwatchFile, watch, watchFile } from 'node:fs';
    import { opendir } from 'node:fs/promises';
    import { createServer } from 'node:http';
    import { DatabaseSync } from 'node:sqlite';
    import { pipeline } from 'node:stream/promises';
    import { createSocket } from 'node:dgram';
    import { Worker } from 'node:worker_threads';
    test('cares', async () => {
      const database = new DatabaseSync(':memory:');
      database.exec('CREATE TABLE a (b)');
      database.close();
      watch('.').close();
      watchFile('.', () => {});
      unwatchFile('.');
      await new Promise((done) => opendirLater('.', (error, directory) => directory.close(done)));
      await (await opendir('.')).close();
      await pipeline(createReadStream(import.meta.filename), createWriteStream(\`\${import.meta.filename}.copy\`));
      await new Promise((done) => open('.', 'r', (error, descriptor) => close(descriptor, done)));
      await new Promise((done) => open('missing', 'r', (error) => done(error.code)));
      const server = createServer();
      await new Promise((done) => server.listen(0, () => server.close(done)));
      await new Promise((done) => createSocket('udp4').close(done));
      await new Promise((done) => new Worker('', { eval: true }).once('exit', done));
      const idle = new Worker('setInterval(() => {}, 1000)', { eval: true });
      idle.ref();
      idle.unref();
      await new Promise((done) => spawn('true').once('exit', done));
      await new Promise((done) => spawn('missing').once('error', done));
      const left = spawn('sleep', ['2'], { stdio: 'ignore' });
      left.ref();
      left.unref();
      execFileSync('true');
    });`,
    );
    const config = { globals: true, setupFiles: SETUP, isolate, maxWorkers: 1 };
    await writeFile(
      join(directory, 'vitest.config.mjs'),
      `export default { test: ${JSON.stringify(config)} };`,
    );
    const env = { ...process.env, NO_COLOR: '1' };
    const run = promisify(execFile)(process.execPath, [VITEST, 'run', '--root', directory], { env });
    const { code, stdout, stderr } = await run.catch((error) => error);
    expect(code).toBe(1);
    expect(stdout).toContain('Test Files  4 failed | 5 passed (9)');
    for (const [name, place] of [
      ['forgets', 'a-leaks'],
      ['forgets it too', 'e-sync'],
      ['forgets another', 'f-directory'],
    ]) {
      expect(stderr).toMatch(
        new RegExp(`1 were left open, among them:\n[^\n]*\\., by "${name}"\n.*${place}\\.test\\.js:2`, 's'),
      );
    }
    expect(stderr).toContain('11 were left open');
    for (const what of FORGOTTEN) expect(stderr).toContain(`, by "forgets ${what}"\n`);
  },
);
