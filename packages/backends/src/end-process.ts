import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Ends the process with this code. By itself, `process.exit` can wait for ever: it waits for compilers on other
 * threads, and these for a garbage collection that only this thread could do
 * (https://github.com/nodejs/node/issues/54918). Of 600 busy processes 13 never ended. After a collection a
 * compiler has more memory than it needs.
 */
export function endProcess(code: number): never {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  process.exit(code);
}
