/** Goes through the pages of the honest issuer as a person, without JavaScript. Returns the address to which it leads back. */
export async function walkIssuer(begin: string, person: string): Promise<string> {
  const jar = new Map<string, string>();
  const { origin } = new URL(begin);
  let next: { url: URL; body?: URLSearchParams } = { url: new URL(begin) };
  for (let step = 0; step < 20; step += 1) {
    if (next.url.origin !== origin) return next.url.href;
    const { url, body } = next;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: { cookie },
      redirect: 'manual',
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const text = await answer.text();
    const location = answer.headers.get('location');
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(text) ?? [];
    if (location !== null) next = { url: new URL(location, url) };
    else if (action === undefined) throw new Error(`The issuer is stuck: ${answer.status} ${text}`);
    else next = { url: new URL(action, url), body: filled(text, person) };
  }
  throw new Error('The issuer leads in a circle.');
}

function filled(html: string, person: string): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [, name = '', value = ''] of html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g))
    fields.set(name, value);
  if (html.includes('name="login"')) {
    fields.set('login', person);
    fields.set('password', 'any');
  }
  return fields;
}
