import { lstat, readFile, stat } from 'node:fs/promises';
import { limits, type Wiki, WikiError } from '@pagetree/wiki/contract';
import { alreadyThere, type LocalFiles } from './local-files.ts';
import { saveFile, saveFolder } from './save-local-files.ts';

/**
 * The same wiki, whose calls may name files of this machine: they are read and written here, wherever the wiki is,
 * and travel as bytes.
 */
export function withLocalFiles(wiki: Wiki, files: LocalFiles): Wiki {
  return {
    ...wiki,
    put_attachment: async ({ local_path, ...input }, call) => {
      if (local_path === undefined) return wiki.put_attachment(input, call);
      const content = await readBase64(await files.toRead(local_path), limits.attachmentBytes);
      return wiki.put_attachment({ ...input, content }, call);
    },
    get_attachment: async ({ local_path, ...input }, call) => {
      // Asked first: what cannot be written need not be fetched.
      const place = local_path === undefined ? null : await files.toWrite(local_path);
      const attachment = await wiki.get_attachment(input, call);
      if (place === null) return attachment;
      await saveFile(place, Buffer.from(attachment.content ?? '', 'base64'));
      return { ...attachment, content: null, saved_to: place };
    },
    import_wiki: async ({ local_path, ...input }, call) => {
      if (local_path === undefined) return wiki.import_wiki(input, call);
      const place = await files.toRead(local_path);
      const { readForImport } = await import('@pagetree/wiki');
      const bytes = await readForImport(place, { mostBytes: limits.importBytes });
      return wiki.import_wiki({ ...input, content: Buffer.from(bytes).toString('base64') }, call);
    },
    export_wiki: async ({ local_path, ...input }, call) => {
      if (local_path === undefined) throw nowhereToExport();
      const place = await files.toWrite(local_path);
      await requireNothing(place);
      const exported = await wiki.export_wiki(input, call);
      const bytes = Buffer.from(exported.content ?? '', 'base64');
      if (input.format === 'folder') await saveFolder(place, bytes);
      else await saveFile(place, bytes);
      return { ...exported, content: null, saved_to: place };
    },
  };
}

async function requireNothing(place: string): Promise<void> {
  const found = await lstat(place).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (found !== null) throw alreadyThere(place);
}

function nowhereToExport(): WikiError {
  return new WikiError('invalid_input', {
    happened: 'The arguments of export_wiki do not fit: local_path is missing.',
    now: 'Nothing was exported.',
    next: 'Say where to write it on this machine.',
  });
}

async function readBase64(path: string, mostBytes: number): Promise<string> {
  const found = await stat(path);
  if (!found.isFile()) throw notAFile(path);
  if (found.size > mostBytes) throw tooLarge(path, found.size, mostBytes);
  return (await readFile(path)).toString('base64');
}

function notAFile(path: string): WikiError {
  return new WikiError('invalid_input', {
    happened: `${JSON.stringify(path)} is not a file.`,
    now: 'Nothing was changed.',
    next: 'Name a file.',
  });
}

function tooLarge(path: string, bytes: number, most: number): WikiError {
  return new WikiError(
    'too_large',
    {
      happened: `The file ${JSON.stringify(path)} has ${bytes} bytes; the most is ${most}.`,
      now: 'Nothing was changed.',
      next: 'Make it smaller.',
    },
    { bytes, most },
  );
}
