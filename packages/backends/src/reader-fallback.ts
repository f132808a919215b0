import type { FunctionClient } from './lambda-client.ts';
import { isCallDenied } from './lambda-failures.ts';

/**
 * Calls the function of writers until AWS reports that this identity may not call it, and then the function
 * of readers, which answers a write by naming who can grant access. A denied call did not run, so it is sent
 * again unchanged.
 */
export function withReaderFallback(
  writer: FunctionClient,
  openReader: () => Promise<FunctionClient>,
): FunctionClient {
  let opening: Promise<FunctionClient> | null = null;
  return {
    async invoke(payload, signal) {
      if (opening === null) {
        try {
          return await writer.invoke(payload, signal);
        } catch (error) {
          if (!isCallDenied(error)) throw error;
        }
      }
      opening ??= openReader();
      return (await opening).invoke(payload, signal);
    },
    warm: () => writer.warm(),
    close() {
      writer.close();
      // A reader that could not be opened holds no resources.
      opening?.then((reader) => reader.close()).catch(() => {});
    },
  };
}
