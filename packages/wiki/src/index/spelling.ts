/** Whether one letter left out, put in, changed or swapped with its neighbour makes one word of the other. */
export function isOneLetterAway(a: string, b: string): boolean {
  if (a === b) return false;
  const left = [...a];
  const right = [...b];
  if (Math.abs(left.length - right.length) > 1) return false;
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  const most = Math.min(left.length, right.length) - start;
  while (end < most && left.at(-1 - end) === right.at(-1 - end)) end++;
  const oldRest = left.slice(start, left.length - end);
  const newRest = right.slice(start, right.length - end);
  if (oldRest.length <= 1 && newRest.length <= 1) return true;
  return (
    oldRest.length === 2 && newRest.length === 2 && oldRest[0] === newRest[1] && oldRest[1] === newRest[0]
  );
}

/** Of letters alone, neither very short nor very long: a word that people may mean when they misspell it. */
export function canBeMisspelt(term: string): boolean {
  return term.length > 2 && term.length < 34 && /^[\p{L}\p{M}]+$/u.test(term);
}
