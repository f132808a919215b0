import { toWikiError, WikiError } from '../contract/errors.ts';
import type { Input, OperationName, Output } from '../contract/operations.ts';
import { type Call, type Wiki, wikiOf } from '../contract/wiki.ts';
import type { WikiDirectory } from './directory-port.ts';
import { deleteAttachment } from './operations/attachments/delete-attachment.ts';
import { getAttachment } from './operations/attachments/get-attachment.ts';
import { listAttachments } from './operations/attachments/list-attachments.ts';
import { putAttachment } from './operations/attachments/put-attachment.ts';
import { commitFiles } from './operations/files/commit-files.ts';
import { listFiles } from './operations/files/list-files.ts';
import { readFiles } from './operations/files/read-files.ts';
import { listRefs } from './operations/git/list-refs.ts';
import { mergeCommits } from './operations/git/merge-commits.ts';
import { receivePush } from './operations/git/receive-push.ts';
import { sendObjects } from './operations/git/send-objects.ts';
import { blamePage } from './operations/history/blame-page.ts';
import { diffPage } from './operations/history/diff-page.ts';
import { getHistory } from './operations/history/get-history.ts';
import { listChanged } from './operations/history/list-changed.ts';
import { restorePage } from './operations/history/restore-page.ts';
import { revertCommit } from './operations/history/revert-commit.ts';
import { showChanges } from './operations/history/show-changes.ts';
import { undoChanges } from './operations/history/undo-changes.ts';
import { checkWiki } from './operations/maintenance/check-wiki.ts';
import { maintainWiki } from './operations/maintenance/maintain-wiki.ts';
import { wikiStatus } from './operations/maintenance/wiki-status.ts';
import { getLinks } from './operations/reading/get-links.ts';
import { listFolder } from './operations/reading/list-folder.ts';
import { listFolders } from './operations/reading/list-folders.ts';
import { listMentions } from './operations/reading/list-mentions.ts';
import { listPages } from './operations/reading/list-pages.ts';
import { listTags } from './operations/reading/list-tags.ts';
import { previewPage } from './operations/reading/preview-page.ts';
import { readPage } from './operations/reading/read-page.ts';
import { readPages } from './operations/reading/read-pages.ts';
import { searchPages } from './operations/reading/search-pages.ts';
import { viewCommit } from './operations/reading/view-commit.ts';
import { viewConflict } from './operations/reading/view-conflict.ts';
import { viewGraph } from './operations/reading/view-graph.ts';
import { viewWholePage } from './operations/reading/view-page.ts';
import { getRemote } from './operations/remotes/get-remote.ts';
import { listRemotes } from './operations/remotes/list-remotes.ts';
import { reportSync } from './operations/remotes/report-sync.ts';
import { setRemote } from './operations/remotes/set-remote.ts';
import { syncWiki } from './operations/remotes/sync-wiki.ts';
import { uploadPart } from './operations/uploads/upload-part.ts';
import { createWiki as createNewWiki } from './operations/wikis/create-wiki.ts';
import { exportWiki } from './operations/wikis/export-wiki.ts';
import { importWiki } from './operations/wikis/import-wiki.ts';
import { listWikis } from './operations/wikis/list-wikis.ts';
import { appendToPage } from './operations/writing/append-to-page.ts';
import { commitChanges } from './operations/writing/commit-changes.ts';
import { deletePage } from './operations/writing/delete-page.ts';
import { editPage } from './operations/writing/edit-page.ts';
import { editSection } from './operations/writing/edit-section.ts';
import { fixLink } from './operations/writing/fix-link.ts';
import { movePage } from './operations/writing/move-page.ts';
import { updateFrontmatter } from './operations/writing/update-frontmatter.ts';
import { writePage } from './operations/writing/write-page.ts';
import { limitDirectory } from './scope/limited-repository.ts';
import { LinksElsewhere } from './scope/links-elsewhere.ts';
import { requireNamedInScope } from './scope/refusals.ts';
import type { DirectorySession, Host, Session } from './session.ts';

export interface WikiParts {
  directory: WikiDirectory;
  /** The wiki of calls that name none. */
  defaultWiki: string;
  newRequestId(): string;
  /** Milliseconds since 1970. */
  now(): number;
  host: Host;
}

/** The operations over a directory of wikis. */
export function createWiki(parts: WikiParts): Wiki {
  return wikiOf((name, input, call) => run(parts, name, input as Input<OperationName>, call));
}

type Handlers = { [Name in OperationName]: Handler<Input<Name>, Output<Name>> };

/** Every operation with its handler. Handlers without `inWiki` work on wikis, not in one. */
const HANDLERS: Handlers = {
  read_page: inWiki(readPage),
  read_pages: inWiki(readPages),
  list_pages: inWiki(listPages),
  search_pages: inWiki(searchPages),
  write_page: inWiki(writePage),
  edit_page: inWiki(editPage),
  append_to_page: inWiki(appendToPage),
  edit_section: inWiki(editSection),
  update_frontmatter: inWiki(updateFrontmatter),
  move_page: inWiki(movePage),
  delete_page: inWiki(deletePage),
  commit_changes: inWiki(commitChanges),
  get_history: inWiki(getHistory),
  show_changes: inWiki(showChanges),
  diff_page: inWiki(diffPage),
  blame_page: inWiki(blamePage),
  restore_page: inWiki(restorePage),
  revert_commit: inWiki(revertCommit),
  get_links: inWiki(getLinks),
  check_wiki: inWiki(checkWiki),
  list_attachments: inWiki(listAttachments),
  put_attachment: inWiki(putAttachment),
  get_attachment: inWiki(getAttachment),
  delete_attachment: inWiki(deleteAttachment),
  wiki_status: inWiki(wikiStatus),
  sync_wiki: inWiki(syncWiki),
  maintain_wiki: maintainWiki,
  list_wikis: listWikis,
  create_wiki: createNewWiki,
  import_wiki: importWiki,
  export_wiki: inWiki(exportWiki),
  view_page: inWiki(viewWholePage),
  preview_page: inWiki(previewPage),
  view_commit: inWiki(viewCommit),
  view_conflict: inWiki(viewConflict),
  undo_changes: inWiki(undoChanges),
  list_mentions: inWiki(listMentions),
  fix_link: inWiki(fixLink),
  list_changed: inWiki(listChanged),
  list_folder: inWiki(listFolder),
  list_folders: inWiki(listFolders),
  list_tags: inWiki(listTags),
  view_graph: inWiki(viewGraph),
  list_files: inWiki(listFiles),
  read_files: inWiki(readFiles),
  commit_files: inWiki(commitFiles),
  list_refs: inWiki(listRefs),
  send_objects: inWiki(sendObjects),
  receive_push: inWiki(receivePush),
  get_remote: inWiki(getRemote),
  list_remotes: listRemotes,
  set_remote: inWiki(setRemote),
  report_sync: inWiki(reportSync),
  merge_commits: inWiki(mergeCommits),
  upload_part: uploadPart,
};

type Handler<In, Out> = (session: DirectorySession, input: In) => Promise<Out>;

/** For an operation in the wiki that its input names. */
function inWiki<In extends { wiki?: string | undefined }, Out>(
  handler: (session: Session, input: In) => Promise<Out>,
): Handler<In, Out> {
  return async ({ directory, defaultWiki, ...session }, input) => {
    const { repository, index } = await directory.open(input.wiki ?? defaultWiki);
    return handler({ ...session, repository, index }, input);
  };
}

async function run(parts: WikiParts, name: OperationName, input: Input<OperationName>, call: Call) {
  const { scope } = call;
  if (scope === undefined) return runIn(parts, name, input, call);
  const elsewhere = new LinksElsewhere(scope);
  const directory = limitDirectory(parts.directory, scope, elsewhere);
  return elsewhere.addTo(await runIn({ ...parts, directory }, name, input, call));
}

async function runIn(parts: WikiParts, name: OperationName, input: Input<OperationName>, call: Call) {
  let landed: string | null = null;
  const committed = (commit: string) => {
    landed = commit;
  };
  try {
    if (call.scope !== undefined) requireNamedInScope(call.scope, name, input);
    const handler = HANDLERS[name] as Handler<unknown, unknown>;
    return await handler({ ...parts, call, committed }, input);
  } catch (error) {
    throw landed === null ? toWikiError(error) : unanswered(landed, error);
  }
}

/**
 * The error if only the answer failed after the change was committed: the caller must not take it for a
 * failed write.
 */
function unanswered(commit: string, error: unknown): WikiError {
  return new WikiError(
    'internal',
    {
      happened: `The change was committed as ${commit}, but the answer could not be worked out. ${toWikiError(error).text.happened}`,
      now: 'The change is in the wiki, once.',
      next: 'Do not make it again; read what it changed. If that fails too, tell the person who runs the wiki to look with `maintain_wiki` (mode check) at what is damaged.',
      atTerminal: 'Do not make it again; look in the wiki at what it changed.',
    },
    { commit },
    { cause: error },
  );
}
