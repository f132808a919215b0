import { createInterface } from 'node:readline/promises';

/** The person who runs a command. Absent if nobody sits at a terminal. */
export interface Terminal {
  /** The answer on one line, or null if the person ended the input instead. */
  ask(question: string): Promise<string | null>;
  close(): void;
}

/** Questions go to standard error, so that standard output has the report alone. */
export function openTerminal(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Terminal {
  const reader = createInterface({ input, output });
  // Keeps lines that come before they are asked for, as when a person pastes several.
  const lines = reader[Symbol.asyncIterator]();
  return {
    async ask(question) {
      reader.setPrompt(question);
      reader.prompt();
      const { done, value } = await lines.next();
      return done ? null : value;
    },
    close: () => reader.close(),
  };
}
