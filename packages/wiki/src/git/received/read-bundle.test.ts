import { expect, test } from 'vitest';
import { readBundle } from './read-bundle.ts';

const tip = 'a'.repeat(40);
const bundle = (capabilities: string) =>
  Buffer.from(`# v3 git bundle\n${capabilities}${tip} refs/heads/main\n\nPACK`);

test('a bundle that needs an unknown commit is refused, as by git', () => {
  expect(readBundle(bundle('@object-format=sha1\n')).tip).toBe(tip);
  expect(() => readBundle(bundle('@object-format=sha1\n@evil=1\n'))).toThrow(
    /^invalid_input: The git bundle cannot be imported: it needs "@evil=1", which is unknown here\./,
  );
});
