/** The same response. `ended` is called, perhaps twice, once its body has been read or given up, or its request is gone. */
export function whenEnded(response: Response, gone: AbortSignal, ended: () => void): Response {
  gone.addEventListener('abort', ended, { once: true });
  if (response.body === null) {
    ended();
    return response;
  }
  const { status, headers } = response;
  const reader = response.body.getReader();
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      ended();
    },
    async cancel(reason) {
      ended();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status, headers });
}
