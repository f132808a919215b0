import type { DraftKeeper } from './draft-keeper.ts';
import { type FormFields, parse } from './text-form.ts';

/**
 * Saves by the form's own post. After a save it leaves for the page. Any other answer of the server takes the place of the
 * form, as if the browser had sent it; without an answer the form stays, and may be sent again with the same request id.
 */
export async function sendForm(
  fields: FormFields,
  status: HTMLElement,
  keeper: DraftKeeper,
): Promise<'left' | 'answered' | 'stays'> {
  // Before anything is sent: the browser may end before the answer.
  await keeper.keepNow();
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(fields.form.action, { method: 'POST', body: fields.data('save') });
    text = answer.redirected ? '' : await answer.text();
  } catch {
    status.textContent = 'The wiki did not answer. Your text is still here: save it again.';
    return 'stays';
  }
  if (answer.redirected) {
    await keeper.landed();
    location.assign(answer.url);
    return 'left';
  }
  const fresh = parse(text);
  const [shown, next] = [document.querySelector('main'), fresh.querySelector('main')];
  const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
  if (!isPage || shown === null || next === null) {
    status.textContent = `Not saved: the wiki answered ${answer.status}. Your text is still here.`;
    return 'stays';
  }
  document.title = fresh.title;
  shown.replaceChildren(...document.importNode(next, true).childNodes);
  scrollTo(0, 0);
  shown.focus();
  return 'answered';
}
