import { type Call, type Input, type Output, toWikiError, type Wiki } from '@pagetree/wiki/contract';
import { saveFile, saveFolder } from './save-local-files.ts';
import { taken } from './taken.ts';

export interface InParts {
  wiki: Wiki;
  input: Input<'export_wiki'>;
  call: Call;
  place: string;
  /** The refusal to give everything in one call. */
  tooLarge: unknown;
}

/** Saves a folder or zip of a wiki in another process, in as many calls as it takes. All are for the same commit. */
export async function saveFilesInParts(parts: InParts): Promise<Output<'export_wiki'>> {
  const { input, place } = parts;
  const first = await firstPart(parts);
  const { output } = first;
  let size = 0;
  async function* counted(): AsyncIterable<Uint8Array> {
    for await (const zip of partsFrom(first, parts)) {
      size += zip.length;
      yield zip;
    }
  }
  if (input.format === 'folder') await saveFolder(place, counted());
  else {
    const { joinExports } = await import('@pagetree/wiki');
    const zip = await joinExports(partsFrom(first, parts), new Date(output.date ?? 0));
    size = zip.length;
    await saveFile(place, zip);
  }
  return { ...output, next_part: null, size, saved_to: place };
}

type Part = { output: Output<'export_wiki'>; bytes: Uint8Array };

async function firstPart(parts: InParts): Promise<Part> {
  try {
    return await partFrom(0, parts);
  } catch (error) {
    // A function of an older version knows no parts.
    throw toWikiError(error).code === 'invalid_input' ? parts.tooLarge : error;
  }
}

async function* partsFrom({ output, bytes }: Part, parts: InParts): AsyncIterable<Uint8Array> {
  yield bytes;
  const { commit } = output;
  const input = { ...parts.input, ...(commit !== null && { at: commit }) };
  for (let from = output.next_part ?? null; from !== null; ) {
    const next = await partFrom(from, { ...parts, input });
    yield next.bytes;
    from = next.output.next_part ?? null;
  }
}

function partFrom(from: number, { wiki, input, call }: InParts): Promise<Part> {
  return taken((takeBytes) => wiki.export_wiki({ ...input, part_from: from }, { ...call, takeBytes }));
}
