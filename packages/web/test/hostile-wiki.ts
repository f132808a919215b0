import { openWiki } from '@pagetree/wiki';
import { callOperation } from '@pagetree/wiki/contract';

/** Adds a page and files that would do harm if a browser trusted them. */
export async function addHostilePages(directory: string): Promise<void> {
  const host = { backend: 'local', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: null, placement: 'local', host });
  const caller = { author: { name: '<script>hacked=1</script>', email: 'm@example.org' }, agent: null };
  try {
    const page = { path: 'Hostile', content: HOSTILE, message: '<script>hacked=1</script>' };
    await callOperation(opened.wiki, 'write_page', page, { caller });
    for (const [path, text] of Object.entries(FILES)) {
      const content = Buffer.from(text).toString('base64');
      await callOperation(opened.wiki, 'put_attachment', { path, content }, { caller });
    }
  } finally {
    await opened.close();
  }
}

const HOSTILE = `# Hostile <script>hacked = 1</script>

<img src=x onerror="hacked=1"> <svg onload="hacked=1"></svg> <iframe src="javascript:hacked=1"></iframe>
[link](javascript:hacked=1) [data](data:text/html,<script>hacked=1</script>) ![i](https://example.org/beacon.png)
<form action="https://example.org"><input name=a autofocus onfocus="hacked=1"></form>
<meta http-equiv="refresh" content="0;url=https://example.org"> <base href="https://example.org/">
<style>@import 'https://example.org/x.css';</style> <div style="background:url(https://example.org/y.png)">x</div>
<a href="https://example.org" ping="https://example.org/ping">p</a> <link rel="prefetch" href="https://example.org/z">
`;

const HARM = '<script>hacked=1; location="https://example.org"</script>';

/** Files of types that a browser may run something in. */
export const FILES: Readonly<Record<string, string>> = {
  'hostile.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" onload="hacked=1"><script>hacked=1; location="https://example.org"</script><image href="https://example.org/a.png"/></svg>',
  'hostile.html': HARM,
  'hostile.pdf':
    '%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\ntrailer<</Root 1 0 R>>\n',
  'hostile.xml': `<?xml version="1.0"?><?xml-stylesheet href="https://example.org/x.xsl"?><a><h:script xmlns:h="http://www.w3.org/1999/xhtml">hacked=1</h:script></a>`,
  'hostile.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${HARM}</body></html>`,
  'hostile.mhtml': `From: x\nMIME-Version: 1.0\nContent-Type: text/html\n\n${HARM}\n`,
  'hostile.js': 'hacked=1; location="https://example.org"',
  'hostile.css': "@import 'https://example.org/x.css'; body { background: url(https://example.org/y.png) }",
  'hostile.wasm': '\0asm\u0001\0\0\0',
  'hostile.bin': HARM,
  'hostile.unknown': HARM,
  'hostile.txt': HARM,
  'hostile.png': HARM,
};
