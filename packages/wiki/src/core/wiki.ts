import { toWikiError, WikiError } from '../contract/errors.ts';
import { type Input, type OperationName, type Output, operationNames } from '../contract/operations.ts';
import type { Call, Wiki } from '../contract/wiki.ts';
import { appendToPage } from './operations/append-to-page.ts';
import { checkWiki } from './operations/check-wiki.ts';
import { commitChanges } from './operations/commit-changes.ts';
import { createWiki as createNewWiki } from './operations/create-wiki.ts';
import { deleteAttachment } from './operations/delete-attachment.ts';
import { deletePage } from './operations/delete-page.ts';
import { diffPage } from './operations/diff-page.ts';
import { editPage } from './operations/edit-page.ts';
import { editSection } from './operations/edit-section.ts';
import { exportWiki } from './operations/export-wiki.ts';
import { getAttachment } from './operations/get-attachment.ts';
import { getHistory } from './operations/get-history.ts';
import { getLinks } from './operations/get-links.ts';
import { importWiki } from './operations/import-wiki.ts';
import { listAttachments } from './operations/list-attachments.ts';
import { listPages } from './operations/list-pages.ts';
import { listWikis } from './operations/list-wikis.ts';
import { maintainWiki } from './operations/maintain-wiki.ts';
import { movePage } from './operations/move-page.ts';
import { putAttachment } from './operations/put-attachment.ts';
import { readPage } from './operations/read-page.ts';
import { readPages } from './operations/read-pages.ts';
import { restorePage } from './operations/restore-page.ts';
import { revertCommit } from './operations/revert-commit.ts';
import { searchPages } from './operations/search-pages.ts';
import { updateFrontmatter } from './operations/update-frontmatter.ts';
import { wikiStatus } from './operations/wiki-status.ts';
import { writePage } from './operations/write-page.ts';
import type { WikiDirectory } from './ports.ts';
import { limitDirectory } from './scope/limited-repository.ts';
import { requireNamedInScope } from './scope/refusals.ts';
import type { DirectorySession, Host, Session } from './session.ts';

export interface WikiParts {
  directory: WikiDirectory;
  /** The wiki of a call that names none. */
  defaultWiki: string;
  newRequestId(): string;
  /** Milliseconds since 1970. */
  now(): number;
  host: Host;
}

/** The operations over a directory of wikis. */
export function createWiki(parts: WikiParts): Wiki {
  const methods = operationNames.map((name) => [
    name,
    (input: Input<typeof name>, call: Call) => run(parts, name, input, call),
  ]);
  return Object.fromEntries(methods) as Wiki;
}

type DirectoryHandlers = {
  [Name in DirectoryOperation]: (session: DirectorySession, input: Input<Name>) => Promise<Output<Name>>;
};
type DirectoryOperation = 'list_wikis' | 'create_wiki' | 'import_wiki' | 'maintain_wiki';

const directoryHandlers: DirectoryHandlers = {
  list_wikis: listWikis,
  create_wiki: createNewWiki,
  import_wiki: importWiki,
  maintain_wiki: maintainWiki,
};

type Handlers = {
  [Name in Exclude<OperationName, DirectoryOperation>]: (
    session: Session,
    input: Input<Name>,
  ) => Promise<Output<Name>>;
};

const handlers: Handlers = {
  read_page: readPage,
  read_pages: readPages,
  list_pages: listPages,
  search_pages: searchPages,
  write_page: writePage,
  edit_page: editPage,
  append_to_page: appendToPage,
  edit_section: editSection,
  update_frontmatter: updateFrontmatter,
  move_page: movePage,
  delete_page: deletePage,
  commit_changes: commitChanges,
  get_history: getHistory,
  diff_page: diffPage,
  restore_page: restorePage,
  revert_commit: revertCommit,
  get_links: getLinks,
  check_wiki: checkWiki,
  list_attachments: listAttachments,
  put_attachment: putAttachment,
  get_attachment: getAttachment,
  delete_attachment: deleteAttachment,
  wiki_status: wikiStatus,
  export_wiki: exportWiki,
};

async function run(parts: WikiParts, name: OperationName, input: Input<OperationName>, call: Call) {
  const { scope } = call;
  const directory = scope === undefined ? parts.directory : limitDirectory(parts.directory, scope);
  let landed: string | null = null;
  const committed = (commit: string) => {
    landed = commit;
  };
  try {
    if (scope !== undefined) requireNamedInScope(scope, name, input);
    if (isDirectoryOperation(name)) {
      const handler = directoryHandlers[name] as Handler<DirectorySession>;
      return await handler({ ...parts, directory, call, committed }, input);
    }
    const wiki = 'wiki' in input ? input.wiki : undefined;
    const { repository, index } = await directory.open(wiki ?? parts.defaultWiki);
    const handler = handlers[name] as Handler<Session>;
    const { newRequestId, now, host } = parts;
    return await handler({ repository, index, call, newRequestId, committed, now, host }, input);
  } catch (error) {
    throw landed === null ? toWikiError(error) : unanswered(landed, error);
  }
}

/** What failed once the change was committed was only the answer: nobody may take it for a write that failed. */
function unanswered(commit: string, error: unknown): WikiError {
  return new WikiError(
    'internal',
    {
      happened: `The change was committed as ${commit}, but the answer could not be worked out. ${toWikiError(error).text.happened}`,
      now: 'The change is in the wiki, once.',
      next: 'Do not make it again; read what it changed. If that fails too, tell the person who runs the wiki to look with `maintain_wiki` (mode check) at what is damaged.',
    },
    { commit },
    { cause: error },
  );
}

type Handler<Session> = (session: Session, input: unknown) => Promise<unknown>;

function isDirectoryOperation(name: OperationName): name is DirectoryOperation {
  return Object.hasOwn(directoryHandlers, name);
}
