import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FILES = {
  filesystem: '@modelcontextprotocol/server-filesystem/dist/index.js',
  mcpvault: '@bitbonsai/mcpvault/dist/server.js',
};

/** The program of a rival, below the directory in which npm installed it. */
export function rivalProgram(rivals: string, name: keyof typeof FILES): string {
  const program = join(resolve(rivals), 'node_modules', FILES[name]);
  if (!existsSync(program)) throw new Error(`There is no ${program}: install the server below --rivals.`);
  return program;
}
