import { join } from 'node:path';
import { gitBytes } from '../../wiki/test/native-git.ts';
import { openSite } from './open-site.ts';
import { fieldsIn, openForm, post } from './posting.ts';

export const AUTHOR = { name: 'Grace', email: 'grace@example.org' };

/** The site of a new wiki in which a person can write, as Grace. */
export async function openWritable(options: Partial<Parameters<typeof openSite>[0]> = {}) {
  const opened = await openSite({ author: AUTHOR, ...options });
  const { site, run, directory } = opened;
  const formAt = (path: string) => openForm(site, `/main/${path}?view=edit`);
  return {
    ...opened,
    formAt,
    content: async (path: string) => (await run('view_page', { path })).page?.content,
    /** Opens the form of a page, has somebody else do something, and saves another text in it. */
    async race(path: string, mine: string, meanwhile: () => Promise<unknown>) {
      const form = await formAt(path);
      await meanwhile();
      form.fields = { ...form.fields, content: mine, do: 'save' };
      const answer = await post(site, form);
      const fields: Record<string, string> = { ...fieldsIn(answer.text), do: 'save' };
      return { ...answer, again: { ...form, fields } };
    },
    bytes: (path: string) => gitBytes(join(directory, 'main.git'), ['show', `HEAD:${path}.md`]),
  };
}
