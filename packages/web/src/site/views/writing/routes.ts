import type { Context, Hono } from 'hono';
import { WIKI, wikiIn, withPath } from '../../routes.ts';
import type { ViewTools } from '../../view-tools.ts';
import { answerFix } from '../fixing/fix.ts';
import { answerSync } from '../sync.ts';
import { answerUndo } from '../undoing/undo.ts';
import { answerDelete } from './delete.ts';
import { answerEdit } from './edit.ts';
import { requireForm } from './form-parts.ts';
import { answerMove } from './move.ts';
import { answerNew } from './new-page.ts';
import { answerRestore } from './restore.ts';
import { answerSettle } from './settle.ts';
import { answerUpload } from './upload.ts';

type Form = (context: Context, tools: ViewTools, wiki: string, path: string) => Promise<Response>;

/** The forms of a page, at its address by `?view=`. */
const FORMS = new Map<string | undefined, Form>([
  ['edit', answerEdit],
  ['move', answerMove],
  ['delete', answerDelete],
  ['restore', answerRestore],
  ['conflict', answerSettle],
]);

/** Adds every address that changes the wiki. Each shows its form, and takes it by POST. */
export function addWriting(app: Hono, tools: ViewTools): void {
  app.get(`/_/${WIKI}/new`, (context) => answerNew(context, tools, wikiIn(context)));
  app.on(['GET', 'POST'], `/_/${WIKI}/undo`, (context) => answerUndo(context, tools, wikiIn(context)));
  app.on(['GET', 'POST'], `/_/${WIKI}/fix`, (context) => answerFix(context, tools, wikiIn(context)));
  app.on(['GET', 'POST'], `/_/${WIKI}/sync`, (context) => answerSync(context, tools, wikiIn(context)));
  app.on(['GET', 'POST'], `/_/${WIKI}/upload`, (context) => answerUpload(context, tools, wikiIn(context)));
  app.on(['GET', 'POST'], `/${WIKI}/*`, (context, next) => {
    const form = FORMS.get(context.req.query('view'));
    if (form === undefined) return next();
    const wiki = wikiIn(context);
    return withPath(context, tools, `/${wiki}/`, (path) => {
      requireForm(context, tools, wiki, path);
      return form(context, tools, wiki, path);
    });
  });
}
