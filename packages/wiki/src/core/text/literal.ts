/** A pattern that matches the text as it is. Node 22 has no `RegExp.escape`. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
