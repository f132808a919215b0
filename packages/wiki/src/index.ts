export { type OpenedWiki, openWiki, type WikiOptions } from './open-wiki.ts';
