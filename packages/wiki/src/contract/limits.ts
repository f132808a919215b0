/** What the wiki holds itself to; told by wiki_status. Sizes in bytes unless the name says otherwise. */
export const limits = {
  pageBytes: 2_000_000,
  /** A page path as written, `.md` not counted. */
  pathCharacters: 400,
  /** One part of a path with `.md`, in UTF-8: what the common file systems allow. */
  pathPartBytes: 255,
  /** The serialized result of one operation. Clients cut or warn about larger ones. */
  replyCharacters: 40_000,
  diffCharacters: 6_000,
  messageCharacters: 2_000,
  listDefault: 50,
  listMost: 200,
  readPagesMost: 20,
  editsMost: 100,
  changesMost: 200,
  attachmentBytes: 50_000_000,
  /** Of all files once unpacked, and of an export: what a text of base64 can hold. */
  importBytes: 300_000_000,
  importFiles: 50_000,
} as const;
