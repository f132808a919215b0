import { limits } from '@pagetree/wiki/contract';

/**
 * The path of the copy that keeps a person's text: `Tea (conflict 2026-11-26 18.30 Ada).md`, with a number from the
 * second one on. Every system can hold it.
 */
export function conflictName(path: string, when: Date, author: string, number: number): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const name = path.slice(folder.length);
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const count = number === 1 ? '' : ` ${number}`;
  const who = cut(author.replace(/[\p{C}\p{Z}<>:"/\\|?*#^[\]()]+/gu, ' ').trim(), 60);
  const mark = ` (conflict ${timeOf(when)}${who === '' ? '' : ` ${who}`}${count})`;
  return `${folder}${cut(stem, limits.pathPartBytes - Buffer.byteLength(mark + extension) - 3)}${mark}${extension}`;
}

function timeOf(when: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${when.getFullYear()}-${two(when.getMonth() + 1)}-${two(when.getDate())}`;
  return `${day} ${two(when.getHours())}.${two(when.getMinutes())}`;
}

/** The beginning of a text that has no more bytes than these, in whole characters. */
function cut(text: string, bytes: number): string {
  let kept = text;
  while (Buffer.byteLength(kept) > bytes) kept = [...kept].slice(0, -1).join('');
  return kept;
}
