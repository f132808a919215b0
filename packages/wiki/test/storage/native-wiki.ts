import { bareRepository, git, gitBytes } from '../native-git.ts';

export interface NativeObject {
  oid: string;
  type: string;
  content: Buffer;
}

/** Every object of the repository, as native git reads it. */
export function allObjects(directory: string): NativeObject[] {
  const output = gitBytes(directory, ['cat-file', '--batch', '--batch-all-objects', '--unordered']);
  const objects: NativeObject[] = [];
  for (let position = 0; position < output.length; ) {
    const lineEnd = output.indexOf('\n', position);
    const [oid = '', type = '', size] = output.toString('latin1', position, lineEnd).split(' ');
    const end = lineEnd + 1 + Number(size);
    objects.push({ oid, type, content: output.subarray(lineEnd + 1, end) });
    position = end + 1;
  }
  return objects;
}

/**
 * A bare repository that native git made: `commits` versions of a few growing pages in folders, with an
 * executable, a symlink, a submodule and an annotated tag. All of it is loose or in one pack as fast-import
 * left it; repack it as the test needs.
 */
export function nativeWiki(commits: number): string {
  const directory = bareRepository();
  const lines: string[] = [];
  for (let commit = 0; commit < commits; commit += 1) {
    lines.push(
      'commit refs/heads/main',
      `committer A. Writer <writer@example.org> ${1_700_000_000 + commit} +0000`,
      ...data(`Change ${commit}\n`),
    );
    const page = `folder ${commit % 3}/page-${commit % 7}.md`;
    lines.push(`M 100644 inline "${page}"`, ...data(pageText(page, commit)));
    if (commit === 0) lines.push(...specialEntries());
  }
  lines.push(
    'tag v1',
    'from refs/heads/main',
    'tagger A. Writer <writer@example.org> 1700000000 +0000',
    ...data('Version 1\n'),
    'done',
    '',
  );
  git(directory, ['fast-import', '--quiet', '--done'], lines.join('\n'));
  return directory;
}

function specialEntries(): string[] {
  return [
    'M 100755 inline run.sh',
    ...data('#!/bin/sh\n'),
    'M 120000 inline link.md',
    ...data('folder 0/page-0.md'),
    `M 160000 ${'5'.repeat(40)} module`,
    'M 100644 inline empty.md',
    ...data(''),
  ];
}

function pageText(page: string, version: number): string {
  const lines = Array.from({ length: 60 }, (_, line) => `Line ${line} of ${page}, ${(line * 7919) % 1000}.`);
  lines[version % 60] = `Changed by version ${version}.`;
  return `${lines.join('\n')}\n`;
}

function data(text: string): string[] {
  return [`data ${Buffer.byteLength(text)}`, text];
}
