import { normalizeUri } from 'micromark-util-sanitize-uri';

/** An address outside of the wiki that a page may link to; null for any other, such as `javascript:`. */
export function foreignAddress(written: string): string | null {
  // Browsers leave out control characters and the blanks around an address.
  const address = normalizeUri(written.replace(/[\p{Cc}\s]+/gu, '').replace(/^(?=\/\/)/, 'https:'));
  const [scheme = ''] = /^(?:https?:\/\/|mailto:)/i.exec(address) ?? [];
  if (scheme === '' || !URL.canParse(address)) return null;
  return scheme.toLowerCase() + address.slice(scheme.length);
}

/** An address in the web pages of the wiki. Any other that looks like one may lead to another host. */
export function isLocalAddress(address: string): boolean {
  return /^(?:\/(?![/\\])|#)[^\p{Cc}\\]*$/u.test(address);
}

/** True if a browser shows the file of this name as an image. */
export function isImage(name: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico)$/i.test(name);
}

export const FOREIGN_LINK = { rel: ['nofollow', 'noopener', 'noreferrer'] };
