import { lstat } from 'node:fs/promises';
import { limits, toWikiError, type Wiki, WikiError } from '@pagetree/wiki/contract';
import { alreadyThere, type LocalFiles, orNotFound } from './local-files.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { saveBundle } from './save-bundle.ts';
import { saveFilesInParts } from './save-files-in-parts.ts';
import { saveFile, saveFolder } from './save-local-files.ts';
import { taken } from './taken.ts';

/**
 * The same wiki, whose calls may name files of this machine. The files are read and written here, wherever
 * the wiki is, and travel as bytes.
 */
export function withLocalFiles(
  wiki: Wiki,
  files: LocalFiles,
  { savesFiles, isRemote }: { savesFiles: boolean; isRemote: boolean },
): Wiki {
  const toWrite = async (path: string) => {
    if (!savesFiles) throw savesNothing(path);
    return files.toWrite(path);
  };
  // Each file is in memory whole, and many at once would take gigabytes. Attachments do not wait for imports.
  const [attachmentTurn, wikiTurn] = [oneAtATime(), oneAtATime()];
  return {
    ...wiki,
    put_attachment: async ({ local_path, ...input }, call) => {
      if (local_path === undefined) return wiki.put_attachment(input, call);
      return attachmentTurn(async () => {
        const reading = files.allowed.read(files.absolute(local_path), limits.attachmentBytes);
        return wiki.put_attachment(input, { ...call, bytes: await orNotFound(local_path, reading) });
      });
    },
    get_attachment: async ({ local_path, ...input }, call) => {
      // Checked first: if it cannot be written, it need not be fetched.
      const place = local_path === undefined ? null : await toWrite(local_path);
      if (place === null) return wiki.get_attachment(input, call);
      return attachmentTurn(async () => {
        const { output, bytes } = await taken((takeBytes) =>
          wiki.get_attachment(input, { ...call, takeBytes }),
        );
        await saveFile(place, bytes);
        return { ...output, saved_to: place };
      });
    },
    import_wiki: async ({ local_path, ...input }, call) => {
      if (local_path === undefined) return wiki.import_wiki(input, call);
      const place = files.absolute(local_path);
      // Checked first: a server whose callers may name no files has no code that imports them.
      await orNotFound(local_path, files.allowed.resolve(place));
      const { importInSteps, readForImport } = await import('@pagetree/wiki');
      const options = { mostBytes: limits.importBytes, files: files.allowed, travels: isRemote };
      return wikiTurn(async () => {
        try {
          const bytes = await orNotFound(local_path, readForImport(place, options));
          return await wiki.import_wiki(input, { ...call, bytes });
        } catch (error) {
          if (input.dry_run || toWikiError(error).code !== 'too_large') throw error;
          const imported = await importInSteps({ wiki, input, call, path: place, files: files.allowed });
          if (imported === null) throw error;
          return imported;
        }
      });
    },
    export_wiki: async ({ local_path, ...input }, call) => {
      if (local_path === undefined) throw nowhereToExport();
      const place = await toWrite(local_path);
      await requireNothing(place);
      return wikiTurn(async () => {
        try {
          const { output, bytes } = await taken((takeBytes) =>
            wiki.export_wiki(input, { ...call, takeBytes }),
          );
          if (input.format === 'folder') await saveFolder(place, [bytes]);
          else await saveFile(place, bytes);
          return { ...output, saved_to: place };
        } catch (error) {
          if (!isRemote || toWikiError(error).code !== 'too_large') throw error;
          if (input.format !== 'bundle')
            return saveFilesInParts({ wiki, input, call, place, tooLarge: error });
          if (input.at !== undefined) throw error;
          return saveBundle(wiki, { wiki: input.wiki }, call, place);
        }
      });
    },
  };
}

async function requireNothing(place: string): Promise<void> {
  // What cannot be looked at cannot be written either, and the attempt to write it says why.
  const found = await lstat(place).catch(() => null);
  if (found !== null) throw alreadyThere(place);
}

function savesNothing(path: string): WikiError {
  return new WikiError(
    'forbidden',
    {
      happened: `Nothing is written to ${JSON.stringify(path.slice(0, 300))}: this server only reads.`,
      now: 'Nothing was read or written.',
      next: 'Leave out local_path, or ask the person who runs this server to offer more tools than read-only.',
    },
    { local_path: path },
  );
}

function nowhereToExport(): WikiError {
  return new WikiError('invalid_input', {
    happened: 'The arguments of export_wiki do not fit: local_path is missing.',
    now: 'Nothing was exported.',
    next: 'Say where to write it on this machine.',
  });
}
