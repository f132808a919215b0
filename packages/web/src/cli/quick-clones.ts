import { useFastCode } from '@pagetree/backends/fast-code';
import type { Endpoint } from '../site/view-tools.ts';

/** Native git whose answers are made with fast code: a clone of a long history is the longest work of this process. */
export function quickClones(git: Pick<Endpoint, 'fetch'>): Pick<Endpoint, 'fetch'> {
  return {
    async fetch(request, sent, until) {
      const end = useFastCode();
      void sent.then(end, end);
      return git.fetch(request, sent, until);
    },
  };
}
