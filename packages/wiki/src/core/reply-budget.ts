import { limits } from '../contract/limits.ts';

/** What a row, a page or a text costs in the serialized reply, in characters. */
export function serializedLength(value: unknown): number {
  return JSON.stringify(value).length;
}

/** How many of `rows`, from the first on, fit into a reply beside `reserved` characters; at least one. */
export function countThatFits(rows: readonly unknown[], reserved = 2_000): number {
  let left = limits.replyCharacters - reserved;
  const firstThatDoesNot = rows.findIndex((row) => {
    left -= serializedLength(row) + 1;
    return left < 0;
  });
  return firstThatDoesNot === -1 ? rows.length : Math.max(1, firstThatDoesNot);
}
