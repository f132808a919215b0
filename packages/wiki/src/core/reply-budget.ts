import { limits } from '../contract/limits.ts';

/** The size of a row, a page or a text in the serialized reply, in characters. */
export function serializedLength(value: unknown): number {
  return JSON.stringify(value).length;
}

/**
 * The number of `rows`, from the first on, that fit into a reply beside `reserved` characters; at least one.
 */
export function countThatFits(rows: readonly unknown[], reserved = 2_000): number {
  let left = limits.replyCharacters - reserved;
  const firstThatDoesNot = rows.findIndex((row) => {
    left -= serializedLength(row) + 1;
    return left < 0;
  });
  return firstThatDoesNot === -1 ? rows.length : Math.max(1, firstThatDoesNot);
}

/** The beginning of a text of any length, with three dots if it is cut. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}...`;
}
