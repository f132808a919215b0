/** The wiki's own limits, returned by wiki_status. Sizes are in bytes unless the name says otherwise. */
export const limits = {
  pageBytes: 2_000_000,
  /** A page path as written, without `.md`. */
  pathCharacters: 400,
  /** One part of a path with `.md`, in UTF-8: the limit of the common file systems. */
  pathPartBytes: 255,
  /** The serialized result of one operation. Clients cut or warn about larger ones. */
  replyCharacters: 40_000,
  diffCharacters: 6_000,
  messageCharacters: 2_000,
  listDefault: 50,
  listMost: 200,
  searchDefault: 10,
  /** The size of an answer with passages, in bytes of JSON. */
  passagesLeastBytes: 2_000,
  passagesDefaultBytes: 8_000,
  readPagesMost: 20,
  editsMost: 100,
  changesMost: 200,
  /** Files that one call of read_files or commit_files may name. */
  filesMost: 2_000,
  /** Commits and objects that one fetch may name. */
  fetchedMost: 10_000,
  /** Conflicts that the answer and the message of a merge name. */
  conflictsMost: 1_000,
  /** The name of a merged history, as the message shows it. */
  sourceCharacters: 200,
  attachmentBytes: 50_000_000,
  /**
   * The size of an import: a zip, a bundle, or a folder, and all files of a zip or a folder once unpacked. It
   * takes up to three times as much memory. In an import of 84 MB of text, half the time goes into
   * compressing it.
   */
  importBytes: 100_000_000,
  /**
   * The size of all objects in the history of a bundle or a repository, once unpacked. They are not all in
   * memory at once.
   */
  importHistoryBytes: 200_000_000,
  /** The size of an exported zip, folder or bundle, which is in memory whole, and of the files in it. */
  exportBytes: 150_000_000,
  /**
   * Files and folders of an import. An import of 12,000 files with the maximum size takes 4.5 s of CPU time.
   */
  importFiles: 12_000,
} as const;
