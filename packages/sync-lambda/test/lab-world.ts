import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  CreateSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { OperationName, Output, RemoteSettings } from '@pagetree/wiki/contract';
import { type Call, callOperation } from '@pagetree/wiki/contract';
import { invokeWiki } from '../../../labs/lambda-lab/invoke-wiki.ts';
import { startLambdaLab } from '../../../labs/lambda-lab/lambda-lab.ts';
import { serveHttpBackend } from '../../bench/src/git/http-backend.ts';
import { startEndpoint } from '../../infra/test/endpoint.ts';
import { selfSigned } from '../../web/test/login/tls-proxy.ts';
import { git } from '../../wiki/test/native-git.ts';
import { buildFunction, functionDirectory } from '../../wiki-lambda/build.ts';
import { buildSyncFunction } from '../build.ts';

/** The host that `as-if-public.mjs` gives a public address. */
const HOST = 'client.example';
const REGION = 'us-east-1';
const CREDENTIALS = { accessKeyId: 'testing', secretAccessKey: 'testing' };
const CALL: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };

export const TOKEN = 'token-that-nobody-sees';
/** The remotes that have a name of their own behave in a way of their own. */
const WIKIS = ['main', 'folder', 'locked', 'stranger', 'hanging', 'redirected'] as const;
type WikiName = (typeof WIKIS)[number];

/** The wiki's function, the function that syncs, git's own server behind TLS, and moto for the secrets. */
export async function startWorld() {
  const root = mkdtempSync(join(tmpdir(), 'sync-lab-'));
  const begun: (() => unknown)[] = [() => rmSync(root, { recursive: true, force: true })];
  const logged: string[] = [];
  const onLine = (line: string) => void logged.push(line);
  const [directory, remotes, code] = ['wikis', 'remotes', 'code'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const parent of [directory, remotes])
    for (const name of WIKIS)
      git('/', ['init', '--quiet', '--bare', '--initial-branch=main', join(parent, `${name}.git`)]);
  for (const name of WIKIS) git(join(remotes, `${name}.git`), ['config', 'http.receivepack', 'true']);
  await Promise.all([buildFunction(), buildSyncFunction(code)]);
  const server = await serveRemotes(remotes, begun);
  const endpoint = await startEndpoint(REGION);
  begun.push(() => endpoint.stop());
  const wikiLab = await startLambdaLab({
    code: functionDirectory,
    variables: { PAGETREE_DIR: directory },
    onLine,
  });
  begun.push(() => wikiLab.stop());
  const trusted = join(root, 'server.pem');
  writeFileSync(trusted, server.certificate);
  const asIfPublic = new URL('../../web/test/lambda/as-if-public.mjs', import.meta.url);
  const syncLab = await startLambdaLab({
    code,
    variables: {
      PAGETREE_FUNCTION: wikiLab.functionArn,
      PAGETREE_SECRETS: 'pagetree/Lab',
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      AWS_ENDPOINT_URL_LAMBDA: wikiLab.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint.url,
      NODE_OPTIONS: `--import ${asIfPublic.href}`,
      NODE_EXTRA_CA_CERTS: trusted,
    },
    // A remote that hangs is given up before, after 30 s of silence.
    timeoutMs: 90_000,
    onLine,
  });
  begun.push(() => syncLab.stop());
  const { wiki, close } = invokeWiki(wikiLab, { attempts: 5 });
  const lambda = new LambdaClient({ endpoint: syncLab.endpoint, region: REGION, credentials: CREDENTIALS });
  const secrets = new SecretsManagerClient({
    endpoint: endpoint.url,
    region: REGION,
    credentials: CREDENTIALS,
  });
  begun.push(
    close,
    () => lambda.destroy(),
    () => secrets.destroy(),
  );
  const run = async <Name extends OperationName>(
    name: Name,
    of: WikiName,
    input: object,
  ): Promise<Output<Name>> => (await callOperation(wiki, name, { wiki: of, ...input }, CALL)) as Output<Name>;
  const report = async (name: WikiName) => (await run('get_remote', name, {})).report;
  return {
    run,
    report,
    logged,
    requests: server.requests,
    bare: (name: WikiName) => join(remotes, `${name}.git`),
    repository: (name: WikiName) => join(directory, `${name}.git`),
    secretOf: (name: WikiName) => `pagetree/Lab/${name}/${server.host.replace(':', '+')}`,
    makeSecret: (Name: string, SecretString: string) =>
      secrets.send(new CreateSecretCommand({ Name, SecretString })),
    changeSecret: (SecretId: string, SecretString: string) =>
      secrets.send(new PutSecretValueCommand({ SecretId, SecretString })),
    add(name: WikiName, more: Partial<RemoteSettings> = {}) {
      const url = `https://${server.host}/${name}.git`;
      const remote = { url, mode: 'two-way', branch: null, every_ms: 300_000, token_from: null, ...more };
      return run('set_remote', name, { remote });
    },
    /** Makes the next round sync the wiki, as if its time had come. */
    async makeDue(name: WikiName) {
      const { remote, report: last } = await run('get_remote', name, {});
      await run('report_sync', name, { url: remote?.url, report: { ...last, next_at: 0 } });
    },
    /** One start of the function that syncs, as by the schedule. */
    async round() {
      const command = new InvokeCommand({ FunctionName: syncLab.functionArn, Payload: '{}' });
      const { FunctionError, Payload } = await lambda.send(command);
      if (FunctionError !== undefined)
        throw new Error([Payload?.transformToString(), ...logged.slice(-20)].join('\n'));
    },
    async stop() {
      for (const end of begun.reverse()) await end();
    },
  };
}

export type World = Awaited<ReturnType<typeof startWorld>>;

/** `git http-backend` with TLS and a login. */
async function serveRemotes(root: string, begun: (() => unknown)[]) {
  const backend = await serveHttpBackend(root);
  const requests: { url: string; authorization: string | undefined }[] = [];
  const pair = selfSigned(HOST);
  const login = `Basic ${Buffer.from(`x-access-token:${TOKEN}`).toString('base64')}`;
  const server = createServer(pair, (asked, answer) => {
    const { method, url = '', headers } = asked;
    requests.push({ url, authorization: headers.authorization });
    if (url.startsWith('/hanging.git')) return;
    if (url.startsWith('/redirected.git')) {
      const location = `https://169.254.169.254${url}`;
      return void answer.writeHead(302, { location }).end();
    }
    if (headers.authorization !== login)
      return void answer.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    const passed = request(new URL(url, backend.origin), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    asked.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  begun.push(
    () => backend.stop(),
    () => {
      server.close();
      server.closeAllConnections();
    },
  );
  const host = `${HOST}:${(server.address() as AddressInfo).port}`;
  return { host, requests, certificate: pair.cert.toString() };
}
