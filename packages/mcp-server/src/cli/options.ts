/** The options of all commands, by name. */
export interface Options {
  dir?: string;
  wiki?: string;
  connect?: string;
  files?: string[];
  tools?: string;
  'except-tools'?: string;
  scope?: string;
  'write-scope'?: string;
  prefix?: string;
  replace?: boolean;
  'dry-run'?: boolean;
  format?: string;
  at?: string;
  url?: string;
  mode?: string;
  branch?: string;
  folder?: string;
  every?: string;
  'token-file'?: string;
  'token-secret'?: string;
  'let-agents-sync'?: boolean;
  author?: string;
  yes?: boolean;
  print?: boolean;
  remove?: boolean;
}
