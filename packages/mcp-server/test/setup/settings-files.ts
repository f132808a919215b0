import { type ClientName, clients } from '../../src/cli/setup/clients.ts';

/** The file of each client below a home on Linux, written out here so that the table of clients is checked by it. */
export const settingsFiles: Readonly<Record<ClientName, string>> = {
  'claude-desktop': '.config/Claude/claude_desktop_config.json',
  'claude-code': '.claude.json',
  cursor: '.cursor/mcp.json',
  'vs-code': '.config/Code/User/mcp.json',
  windsurf: '.codeium/windsurf/mcp_config.json',
  zed: '.config/zed/settings.json',
  codex: '.codex/config.toml',
  'gemini-cli': '.gemini/settings.json',
  'copilot-cli': '.copilot/mcp-config.json',
  kiro: '.kiro/settings/mcp.json',
  'lm-studio': '.lmstudio/mcp.json',
  opencode: '.config/opencode/opencode.json',
};

/** A settings file. « and » enclose the text that setup adds at that place; `…` is the entry itself. */
interface Marked {
  json: string;
  toml: string;
}

/** The text as it is before; KEY stands for the key of a client's servers. */
export function before(marked: Marked, name: ClientName): string {
  return filled(marked, name).replaceAll(/«[^»]*»/g, '');
}

/** The text around the entry as it must be after. */
export function around(marked: Marked, name: ClientName): [head: string, tail: string] {
  const [head = '', tail = ''] = filled(marked, name).replaceAll(/[«»]/g, '').split('…');
  return [head, tail];
}

function filled(marked: Marked, name: ClientName): string {
  return marked[clients[name].format].replaceAll('KEY', clients[name].container);
}

const TOML = `# my models
model = "gpt-5.1-codex"   # the large one

[KEY.other]
command = 'npx' # by npm
args = [
  "-y",
  "other",
]
text = """
[KEY.pagetree]
command = "no table, but text"
"""

[profiles.fast]
model="x"
«
…»`;

/** Files that people have, in which the entry is to appear and not one byte is to change otherwise. */
export const layouts = {
  'comments, other servers and a trailing comma': {
    json: `// Settings of mine: https://example.org/{"KEY"}
{
	"theme": "dark", /* not "KEY": {} */
	"KEY": {
		// the first
		"other": { "command": "npx", "args": ["-y", "other"] },
		"second":{"url" : "https://example.org/mcp"}, // with a comma after it«
		…,»
	},
	"last": [1,2 ,3],
}
`,
    toml: TOML,
  },
  'CRLF, a byte order mark and four spaces': {
    json: `\uFEFF{
    "KEY": {
        "other": {
            "command": "npx"
        }«,
        …»
    },

    "z": "ä日本 \\u00e9"
}`.replaceAll('\n', '\r\n'),
    toml: `\uFEFF${TOML}`.replaceAll('\n', '\r\n'),
  },
  'one line': {
    json: '{"z":1,"KEY":{"other":{"command":"x","args":["a, b"]}«,…»}}',
    toml: 'KEY.other = { command = "x" }\n«\n…»',
  },
  'one line with spaces and an end': {
    json: '{ "a": "b", "KEY": { "other": { "command": "x" }«,» /* c */« …» } }\n',
    toml: '["KEY"."other"]\ncommand = "x"«\n\n…»',
  },
  'no servers yet': {
    json: '{\n  "$schema": "https://example.org/schema.json",\n  "a": {}«,»\n  // end«\n  "KEY": {\n    …\n  }»\n}\n',
    toml: 'model = "x"\n\n\n«…»',
  },
  'an empty list of servers': {
    json: '{\n   "KEY": {«\n      …\n   »},\n   "b": null\n}\n',
    toml: '[KEY]\n«\n…»',
  },
  'an empty file': { json: '«{\n  "KEY": {\n    …\n  }\n}\n»', toml: '«…»' },
  'comments alone': {
    json: '// nothing yet\n«{\n  "KEY": {\n    …\n  }\n}\n»',
    toml: '# nothing yet\n«\n…»',
  },
} as const satisfies Record<string, Marked>;

export const broken: readonly (readonly [what: string, marked: Marked, refusal: RegExp])[] = [
  [
    'a comma too few',
    { json: '{\n  "KEY": {}\n  "a": 1\n}\n', toml: 'a = 1 b = 2\n' },
    /It is no valid (JSON: comma expected|TOML: .*) at line \d, column \d+\./,
  ],
  [
    'half a file',
    { json: '{ "KEY": { "other": ', toml: '[KEY.other\ncommand = ' },
    /It is no valid (JSON|TOML): /,
  ],
  [
    'a list in place of the servers',
    { json: '{ "KEY": [] }', toml: 'KEY = []\n' },
    /is no object|cannot edit/,
  ],
  ['a list', { json: '[1]', toml: '[[KEY]]\na = 1\n' }, /no JSON object|cannot edit/],
  [
    'the same server twice',
    {
      json: '{ "KEY": { "pagetree": {}, "pagetree": { "command": "x" } } }',
      toml: '[KEY.pagetree]\ncommand = "x"\n[KEY.pagetree]\ncommand = "y"\n',
    },
    /"pagetree" twice|no valid TOML/,
  ],
];
