/** A command that an engine gets on a line of its standard input, as JSON. */
export type Command =
  /** The directory in which the wiki `main.git` lies, and one on a local disk for what can be made again. */
  | { do: 'open'; directory: string; workDirectory: string }
  /** Reads the newest version of a file. */
  | { do: 'read'; path: string }
  /** Commits a file with `text` added at its end, on the newest commit. */
  | { do: 'append'; path: string; text: string }
  /** Names the files of the newest version: ours the first 200, with their titles and dates, the others all. */
  | { do: 'list' }
  /** Tells of the 50 newest commits, with the paths that each changed. */
  | { do: 'recent' }
  /** Tells of the 20 newest commits that changed a file. */
  | { do: 'history'; path: string }
  /** Compares the newest version of a file with that in the commit `from`. */
  | { do: 'diff'; path: string; from: string }
  /** Finishes what writes left for later. */
  | { do: 'settle' };

/** The engine's answer, on a line of its standard output. */
export interface Answer {
  milliseconds: number;
  /** The peak of the process so far; for native git that of its largest process so far. */
  peakRssMegabytes: number;
  /** The text of a file that was read; for anything else whatever the engine likes. */
  text?: string;
  /** Why it could not carry out the command, in its own words. */
  failure?: string;
}
