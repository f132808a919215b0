export { downloadBundle } from './download-bundle.ts';
export { importInSteps } from './import-in-steps.ts';
export { joinExports, readForImport, unpackExport } from './local-transfer.ts';
export { type OpenedWiki, openWiki, type WikiOptions } from './open-wiki.ts';
export type { Embedder } from './search/meaning/embedder.ts';
