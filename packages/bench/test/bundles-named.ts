import type { StudiesStackProps } from '../src/aws/stack/studies-stack.ts';

/** Bundles that lie nowhere, each under a hash of its own. */
export function bundlesNamed(): StudiesStackProps['bundles'] {
  const named = (letter: string) => {
    const sha256 = letter.repeat(64);
    return { sha256, key: `bundles/${sha256}.mjs`, zipKey: `bundles/${sha256}.zip` };
  };
  return {
    probe: named('a'),
    seed: named('b'),
    throughput: named('c'),
    dulwich: named('d'),
    empty: named('e'),
  };
}
