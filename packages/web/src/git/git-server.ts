import { limits, methodOf, toWikiError, type Wiki, WikiError, wikiOf } from '@pagetree/wiki/contract';
import { BrokenPktLine } from '@pagetree/wiki/pkt-line';
import { Room } from '../site/room.ts';
import { advertiseReceiving, advertiseUploading } from './advertise.ts';
import type { GitCaller, GitRequest } from './git-caller.ts';
import { type Body, readBody, TooLarge } from './read-body.ts';
import { receivePack, refusedPush } from './receive/receive-pack.ts';
import { Refusal, refusalFor } from './refusal.ts';
import { Turns } from './turns.ts';
import { errorAnswer } from './upload/error-answer.ts';
import { uploadPack } from './upload/upload-pack.ts';
import { uploadPackV0 } from './upload/upload-pack-v0.ts';

/** Answers native git at `/WIKI.git`. */
export interface GitServer {
  fetch(request: Request, caller: GitCaller): Promise<Response>;
}

/** Speaks git's smart protocol over HTTP: https://git-scm.com/docs/gitprotocol-http */
export function createGitServer({ version, log }: { version: string; log(line: string): void }): GitServer {
  const services = new Services();

  async function answer(request: Request, { call, ...caller }: GitCaller): Promise<Response> {
    const [, name, address] = ADDRESS.exec(new URL(request.url).pathname) ?? [];
    if (name === undefined) throw new Refusal(404, 'There is nothing for git at this address.');
    const signals = [request.signal, ...(caller.until === undefined ? [] : [caller.until])];
    const wiki = reporting(caller.wiki, log);
    const asked = { ...caller, wiki, name, version, call: { ...call, signal: AbortSignal.any(signals) } };
    if (address === 'info/refs') return advertise(request, asked);
    return address === RECEIVE ? services.receive(request, asked) : services.upload(request, asked);
  }

  return {
    async fetch(request, caller) {
      try {
        return await answer(request, caller);
      } catch (error) {
        if (error instanceof BrokenPktLine) return new Refusal(400, error.message).response();
        return refusalFor(error).response();
      }
    },
  };
}

function advertise(request: Request, asked: GitRequest): Promise<Response> {
  expectMethod(request, 'GET');
  const service = new URL(request.url).searchParams.get('service');
  if (service === UPLOAD) return advertiseUploading(asked, isVersion2(request));
  if (service === RECEIVE) return advertiseReceiving(asked, () => refusePush(asked));
  const sentence =
    service === null
      ? 'This needs the smart protocol: use git 1.6.6 or newer.'
      : `There is no such service here: ${UPLOAD} and ${RECEIVE} are.`;
  throw new Refusal(403, sentence);
}

/** Answers what follows the advertisement, for all callers within the same bounds. */
class Services {
  readonly #turns = new Turns();
  readonly #requests = new Room(MAX_REQUESTS_BYTES);
  readonly #pushes = new Room(MAX_PUSHES_BYTES);

  async upload(request: Request, asked: GitRequest): Promise<Response> {
    expectPost(request, UPLOAD);
    let done = () => {};
    try {
      done = this.#turns.take(asked.person ?? null);
      const { bytes, share } = await readBody(request, {
        most: MAX_REQUEST_BYTES,
        memory: this.#requests,
      });
      share.keep(0);
      return await (isVersion2(request) ? uploadPack : uploadPackV0)(asked, bytes, done);
    } catch (error) {
      done();
      // After the advertisement git shows these words, and none of an answer by a status.
      if (error instanceof WikiError) return errorAnswer(error);
      throw error;
    }
  }

  async receive(request: Request, asked: GitRequest): Promise<Response> {
    expectPost(request, RECEIVE);
    refusePush(asked);
    let body: Body;
    try {
      body = await readBody(request, { most: MAX_PUSH_BYTES, memory: this.#pushes, drains: true });
    } catch (error) {
      if (error instanceof TooLarge && error.beginning.length > 0)
        return refusedPush(error.beginning, TOO_LARGE);
      throw error;
    }
    try {
      return await receivePack(asked, body.bytes);
    } finally {
      body.share.keep(0);
    }
  }
}

function isVersion2(request: Request): boolean {
  return (request.headers.get('git-protocol') ?? '').split(':').includes('version=2');
}

function refusePush({ name, pushRefusal }: GitRequest): void {
  const reason = pushRefusal(name);
  if (reason !== null) throw new Refusal(403, reason);
}

function expectPost(request: Request, service: string): void {
  expectMethod(request, 'POST');
  const type = `application/x-${service}-request`;
  if (request.headers.get('content-type') !== type) throw new Refusal(415, `This takes ${type} alone.`);
}

/** The same wiki, which logs the failures whose cause no answer mentions. */
function reporting(wiki: Wiki, log: (line: string) => void): Wiki {
  return wikiOf(async (name, input, call) => {
    try {
      return await methodOf(wiki, name)(input, call);
    } catch (error) {
      const { code, cause } = toWikiError(error);
      if (code === 'internal')
        log(`${name} for git failed: ${cause instanceof Error ? cause.message : cause}`);
      throw error;
    }
  });
}

function expectMethod({ method }: Request, expected: 'GET' | 'POST'): void {
  if (method !== expected)
    throw new Refusal(405, `This address answers ${expected} alone.`, { Allow: expected });
}

const UPLOAD = 'git-upload-pack';
const RECEIVE = 'git-receive-pack';
const ADDRESS = /^\/([a-z0-9-]+)\.git\/(info\/refs|git-upload-pack|git-receive-pack)$/;
/** Names of the commits and refs that a client has and wants. Git itself gives up long before. */
const MAX_REQUEST_BYTES = 4_000_000;
const MAX_REQUESTS_BYTES = 32_000_000;
/** The pack, and the commands before it. */
const MAX_PUSH_BYTES = limits.importBytes + 100_000;
const TOO_LARGE = `A push may have ${limits.importBytes / 1_000_000} MB. Push the older commits first, then the others.`;
const MAX_PUSHES_BYTES = 150_000_000;
