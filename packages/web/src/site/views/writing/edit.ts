import { blobOid } from '@pagetree/wiki/content-hash';
import { toWikiError } from '@pagetree/wiki/contract';
import type { Context } from 'hono';
import { pageAddress } from '../../addresses.ts';
import { fieldOf, formOf } from '../../posts/own-posts.ts';
import type { ViewTools } from '../../view-tools.ts';
import { conflictOf, hasMarks } from './conflict.ts';
import { type Draft, showEditForm } from './edit-form.ts';
import { faultOf } from './faults.ts';
import { newId } from './form-parts.ts';
import { type Page, pageOrPlace } from './page-now.ts';
import { keepLineEnds } from './posted-text.ts';
import { previewOf } from './preview.ts';

/** The form with the whole text of a page, or of one that does not exist yet. */
export async function answerEdit(
  context: Context,
  tools: ViewTools,
  wiki: string,
  path: string,
): Promise<Response> {
  return context.req.method === 'POST'
    ? takeEdit(context, tools, wiki, path)
    : openEdit(context, tools, wiki, path);
}

async function openEdit(context: Context, tools: ViewTools, wiki: string, path: string): Promise<Response> {
  const { found, movedTo } = await pageOrPlace(tools, wiki, path);
  if (found === null) {
    return showEditForm(context, tools, { wiki, path, draft: { ...EMPTY }, movedTo });
  }
  const { commit, page } = found;
  if (!isExact(page)) {
    const fault = {
      sentence: 'This page is not UTF-8 text: a browser would destroy it. Convert it by native git first.',
      status: 400,
    } as const;
    return showEditForm(context, tools, { wiki, path: page.path, draft: null, fault });
  }
  const draft = { content: page.content, message: '', version: page.version, at: commit, marked: false };
  return showEditForm(context, tools, { wiki, path: page.path, draft });
}

const EMPTY: Draft = { content: '', message: '', version: '', at: '', marked: false };

async function takeEdit(context: Context, tools: ViewTools, wiki: string, path: string): Promise<Response> {
  const form = formOf(context);
  const draft: Draft = {
    content: fieldOf(form, 'content').replaceAll(/\r\n?/g, '\n'),
    message: fieldOf(form, 'message').trim(),
    version: fieldOf(form, 'version'),
    at: fieldOf(form, 'at'),
    marked: fieldOf(form, 'marked') !== '',
  };
  try {
    if (fieldOf(form, 'do') === 'preview') {
      const preview = await previewOf(tools, wiki, path, draft.content);
      return await showEditForm(context, tools, { wiki, path, draft, preview });
    }
    if (draft.marked && hasMarks(draft.content)) {
      const sentence = 'Lines of marks are still in the text: keep one side of each, and delete the marks.';
      return await showEditForm(context, tools, { wiki, path, draft, fault: { sentence, status: 409 } });
    }
    return await save(context, tools, { wiki, path, draft, requestId: fieldOf(form, 'request_id') });
  } catch (error) {
    return showEditForm(context, tools, { wiki, path, draft, fault: faultOf(context, tools, error) });
  }
}

async function save(
  context: Context,
  tools: ViewTools,
  { wiki, path, draft, requestId }: { wiki: string; path: string; draft: Draft; requestId: string },
): Promise<Response> {
  const { version, message } = draft;
  const base = version === '' ? null : await tools.ask('view_page', { wiki, path, at: draft.at });
  const content = keepLineEnds(base?.page?.content ?? '', draft.content);
  const input = {
    wiki,
    path,
    content,
    message: message || undefined,
    version: version || undefined,
    // A person sees the whole text, and may delete its end.
    allow_shrink: true,
  };
  try {
    const written = await tools.change('write_page', { ...input, request_id: requestId }).catch((error) => {
      // A person went back to a form that was saved, and wrote another text. It is for a page that has changed since.
      if (toWikiError(error).data.reason !== 'request_reused') throw error;
      return tools.change('write_page', { ...input, request_id: newId() });
    });
    return context.redirect(pageAddress(wiki, written.path), 303);
  } catch (error) {
    const { code } = toWikiError(error);
    if (code !== 'version_conflict' && code !== 'already_exists') throw error;
    const conflict = await conflictOf(tools, wiki, path, { ...draft, content });
    // Somebody wrote the same, such as this very form when it was sent before.
    if (conflict.theirs?.content === content) {
      return context.redirect(pageAddress(wiki, conflict.path), 303);
    }
    return showEditForm(context, tools, { wiki, ...conflict });
  }
}

/** True if the text is the page to the byte, apart from the mark that the wiki keeps by itself. */
function isExact({ content, version }: Page): boolean {
  return [content, `\uFEFF${content}`].some((text) => blobOid(Buffer.from(text)) === version);
}
