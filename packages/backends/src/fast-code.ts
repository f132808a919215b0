import { setFlagsFromString } from 'node:v8';

// V8 knows this setting for the whole process alone, so all parts of it share what follows.
let isSmall = false;
let users = 0;

/** Has V8 favor small code over fast code, except during `useFastCode`. */
export function keepCodeSmall(): void {
  isSmall = true;
  apply();
}

/**
 * Begins work of seconds that comes rarely, as a clone of a long history, which takes nearly twice as long with small code.
 * Returns what ends it; call that once.
 */
export function useFastCode(): () => void {
  users += 1;
  apply();
  return () => {
    users -= 1;
    apply();
  };
}

function apply(): void {
  if (isSmall) setFlagsFromString(users === 0 ? '--optimize-for-size' : '--no-optimize-for-size');
}
