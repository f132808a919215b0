/** What an engine is told on a line of its standard input, as JSON. */
export type Command =
  /** The directory in which the wiki `main.git` lies. */
  | { do: 'open'; directory: string }
  /** Reads the newest version of a file. */
  | { do: 'read'; path: string }
  /** Commits a file with `text` added at its end, on the newest commit. */
  | { do: 'append'; path: string; text: string }
  /** Names the files of the newest version: ours the first 200, in order and with their dates, git and dulwich all. */
  | { do: 'list' }
  /** Tells of the 50 newest commits. */
  | { do: 'recent' }
  /** Finishes what writes left for later. */
  | { do: 'settle' };

/** What it answers, on a line of its standard output. */
export interface Answer {
  milliseconds: number;
  peakRssMegabytes: number;
  /** Of a file that was read. */
  text?: string;
}
