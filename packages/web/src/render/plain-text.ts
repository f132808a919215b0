export interface RenderedPage {
  html: string;
  outline: { depth: number; text: string; id: string }[];
  uses: { math: boolean; diagrams: boolean };
}

/** A page as it is written, with the reason. */
export function plainText(markdown: string, why = 'takes too long to'): RenderedPage {
  const notice = `This page ${why} be shown with its formatting. This is its text as it is written.`;
  // The library takes 300 ms for a page of two megabytes, and all else waits for it.
  const escaped = markdown.replaceAll('&', '&#x26;').replaceAll('<', '&#x3C;');
  const html = `<p class="notice">${notice}</p><pre class="plain-text">${escaped}</pre>`;
  return { html, outline: [], uses: { math: false, diagrams: false } };
}
