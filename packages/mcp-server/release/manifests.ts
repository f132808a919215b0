import { NOTICES_FILE } from '../../../third-party-notices.ts';
import { PROGRAM_FILE } from '../build.ts';

/** The facts about Pagetree for the npm package, the MCP bundle and the registry: one set in three forms. */

/** The folder of the npm package with the program that shows the pages in the browser; `web-program.ts` runs it. */
export const WEB_DIRECTORY = 'web';

const name = '@pagetree/mcp-server';
/** The server's name in MCP's registry, which also checks that the npm package names it. */
const registryName = 'io.github.pagetree/pagetree';
const description = 'A git wiki for AI agents: every change is a commit, and conflicts are answers.';
/** npm checks that a release with provenance was built there. */
const repository = { type: 'git', url: 'git+https://github.com/pagetree/pagetree.git' };
/** The oldest Node whose SQLite and zstd the index can use. */
const engines = { node: '>=22.16' };

/** A setting that people are asked for: its variable and its description. */
const settings = {
  directory: {
    variable: 'PAGETREE_DIR',
    title: 'Folder of wikis',
    description: 'Where the wikis lie. Leave it blank for the usual place; it is made if it is missing.',
  },
  author: {
    variable: 'PAGETREE_AUTHOR',
    title: 'Author',
    description: 'Who writes, as Name <email>. Blank for what git knows of you.',
  },
  function: {
    variable: 'PAGETREE_FUNCTION',
    title: 'AWS Lambda function',
    description: 'Name or ARN of the function that serves a team, instead of a folder.',
  },
  region: {
    variable: 'AWS_REGION',
    title: 'AWS region',
    description: 'Of the function, where its name is no ARN.',
  },
  profile: {
    variable: 'AWS_PROFILE',
    title: 'AWS profile',
    description: 'Whose credentials call the function.',
  },
  files: {
    variable: 'PAGETREE_FILES',
    title: 'Folder of files',
    description:
      'Absolute path of a folder whose files the tools may read and write: attachments, import, export. Blank for none.',
  },
  tools: {
    variable: 'PAGETREE_TOOLS',
    title: 'Tools',
    description: 'all, essential (eleven), read-only, or comma-separated names.',
  },
  scope: {
    variable: 'PAGETREE_SCOPE',
    title: 'Folders of the wiki',
    description: 'Such as notes/,Team/Ada/: the rest of the wiki is not there. Blank for the whole.',
  },
  write_scope: {
    variable: 'PAGETREE_WRITE_SCOPE',
    title: 'Folders that may be changed',
    description: 'Such as notes/: all else is only read. Blank for everything that may be read.',
  },
} as const;

/**
 * The manifest of the npm package. The workspace's own manifest names packages that only the workspace has.
 */
export function npmManifest(version: string) {
  return {
    name,
    version,
    description,
    keywords: ['mcp', 'wiki', 'git', 'markdown', 'agents'],
    license: 'MIT',
    repository,
    type: 'module',
    bin: { pagetree: 'pagetree.js' },
    files: ['pagetree.js', PROGRAM_FILE, 'part-*.js', WEB_DIRECTORY, NOTICES_FILE],
    engines,
    mcpName: registryName,
    publishConfig: { access: 'public', provenance: true },
  };
}

/** The manifest of the bundle that Claude Desktop installs by a double click. */
export function bundleManifest(version: string) {
  const asked = Object.entries(settings);
  return {
    manifest_version: '0.3',
    name: 'pagetree',
    display_name: 'Pagetree',
    version,
    description,
    author: { name: 'The Pagetree authors' },
    license: 'MIT',
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: 'server/pagetree.js',
      mcp_config: {
        command: 'node',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in
        args: ['${__dirname}/server/pagetree.js'],
        env: Object.fromEntries(asked.map(([key, { variable }]) => [variable, `\${user_config.${key}}`])),
      },
    },
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: engines },
    // Every setting has a default, even a blank one: without a default a client passes on the placeholder
    // itself.
    user_config: Object.fromEntries(
      asked.map(([key, { title, description }]) => [
        key,
        { type: 'string', title, description, required: false, default: key === 'tools' ? 'all' : '' },
      ]),
    ),
  };
}

/** The entry in MCP's registry. */
export function registryManifest(version: string) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: registryName,
    title: 'Pagetree',
    description,
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        transport: { type: 'stdio' },
        environmentVariables: Object.values(settings).map(({ variable, description }) => ({
          name: variable,
          description,
          isRequired: false,
        })),
      },
    ],
  };
}
