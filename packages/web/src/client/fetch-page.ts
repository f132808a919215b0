/** A page of this site as a separate document, in which no script runs and nothing is loaded. */
export async function fetchPage(address: string, signal: AbortSignal): Promise<Document | null> {
  const answer = await fetch(address, { signal, headers: { accept: 'text/html' } });
  const isPage = answer.ok && answer.headers.get('content-type')?.startsWith('text/html') === true;
  return isPage ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
}
