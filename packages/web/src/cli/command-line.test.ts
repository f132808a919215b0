import { expect, test } from 'vitest';
import { parseCommandLine } from './command-line.ts';

test('without options it serves on its own port', () => {
  expect(parseCommandLine([])).toEqual({ kind: 'serve', options: { port: 7_327, open: false } });
  expect(
    parseCommandLine(['--port', '0', '--open', '--wiki', 'help', '--host', '127.0.0.1', '--read-only']),
  ).toEqual({
    kind: 'serve',
    options: { port: 0, open: true, wiki: 'help', 'read-only': true },
  });
});

test.each(['--issuer', '--token-file'])('with %s it may answer at another address', (guard) => {
  expect(parseCommandLine(['--listen', '0.0.0.0', guard, 'x'])).toMatchObject({
    kind: 'serve',
    options: { listen: '0.0.0.0' },
  });
});

test.each([
  [['--port', '65536'], /^The port "65536" is no number from 0 to 65535\. Run with --help/],
  [['--port', 'x'], /^The port "x" is no number/],
  [['--prot', '1'], /^Unknown option '--prot'\. Run with --help/],
  [['notes'], /^Unexpected argument 'notes'/],
  [['--host', '0.0.0.0'], /Without a login.* 127\.0\.0\.1 alone.* ssh -L 7327/],
  [['--host', '192.168.1.2'], /Without a login/],
  [['--listen', '0.0.0.0'], /Without a login.* --issuer and --listen/],
  [['--host', '0.0.0.0', '--issuer', 'https://issuer.example'], /--issuer and --listen/],
])('%j is a mistake, with what to do', (args, sentence) => {
  expect(parseCommandLine(args)).toEqual({ kind: 'mistake', sentence: expect.stringMatching(sentence) });
});
