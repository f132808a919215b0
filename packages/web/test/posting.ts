import type { Site } from '../src/site/site.ts';
import { HOST } from './open-site.ts';

/** A form of a page, as a browser has it. */
export interface OpenForm {
  host: string;
  address: string;
  cookie: string;
  fields: Record<string, string>;
}

/** Opens the form at an address: its hidden fields, its text and the cookie that came with it. */
export async function openForm(site: Site, address: string, host = HOST): Promise<OpenForm> {
  const response = await site.fetch(new Request(`http://${host}${address}`, { headers: { host } }));
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  return { host, address, cookie, fields: fieldsIn(await response.text()) };
}

/** The hidden fields and the text of the first form that posts. */
export function fieldsIn(html: string): Record<string, string> {
  const [form = ''] = /<form[^>]*method="post"[\s\S]*?<\/form>/.exec(html) ?? [];
  const fields: Record<string, string> = {};
  for (const [, name = '', value = ''] of form.matchAll(
    /<input type="hidden" name="(\w+)" value="([^"]*)">/g,
  ))
    fields[name] = decode(value);
  const [, text] = /<textarea[^>]* name="content"[^>]*>\n([\s\S]*?)<\/textarea>/.exec(form) ?? [];
  if (text !== undefined) fields.content = decode(text);
  return fields;
}

interface Posted {
  headers?: Record<string, string>;
  method?: string;
  body?: BodyInit;
}

/** Sends a form as `responseOf` does, and reads the answer. */
export async function post(site: Site, form: OpenForm, posted: Posted = {}) {
  const response = await responseOf(site, form, posted);
  return {
    status: response.status,
    headers: response.headers,
    location: response.headers.get('location'),
    text: await response.text(),
  };
}

/** Sends a form as a browser does: with line ends of two bytes, its cookie, and the headers that say from where. */
export async function responseOf(
  site: Site,
  { host, address, cookie, fields }: OpenForm,
  { headers = {}, method = 'POST', body }: Posted = {},
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value.replaceAll(/\r\n?|\n/g, '\r\n'));
  const sent: Record<string, string | undefined> = {
    host,
    origin: `http://${host}`,
    'sec-fetch-site': 'same-origin',
    cookie,
    ...headers,
  };
  const given = Object.entries(sent).filter((each): each is [string, string] => Boolean(each[1]));
  return site.fetch(new Request(`http://${host}${address}`, { method, headers: given, body: body ?? form }));
}

function decode(text: string): string {
  return text
    .replaceAll('\0', '\uFFFD')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
