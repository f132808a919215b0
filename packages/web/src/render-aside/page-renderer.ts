import { Worker } from 'node:worker_threads';
import type { RenderContext, RenderedPage } from '../render/page-part.ts';
import { plainText } from '../render/render-cost.ts';
import type { FromWorker, RenderJob, ToWorker } from './messages.ts';

/** Beside this file, and in Lambda beside the bundle. */
const WORKER = new URL(`render-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'mjs'}`, import.meta.url);
/** The time that a page may take, embedded pages included, before it is shown as it is written. */
const LIMIT_MS = 5_000;
/** The time that a thread may take to start, on a machine with much other work. */
const START_MS = 30_000;
/** One page that takes long leaves the other thread to the others. */
const MAX_WORKERS = 2;
/**
 * Beyond this a page is shown as it is written. V8 ends the whole process if a page takes much more before it is stopped
 * (nodejs/node#47224): the limits on what a page may cost keep every page below this.
 */
const MAX_WORKER_MB = 256;

interface Waiting {
  job: RenderJob;
  embed: RenderContext['embed'];
  resolve(page: RenderedPage): void;
  reject(error: unknown): void;
}

/**
 * Renders pages in threads of their own: no text of a page holds up other requests, or the end of the process. A page
 * that takes too long or too much memory is shown as it is written. A failure of an embed is that of the page.
 */
export class PageRenderer {
  readonly #limitMs: number;
  readonly #workerMb: number;
  readonly #idle: Worker[] = [];
  readonly #waiting: Waiting[] = [];
  #workers = 0;

  constructor({ limitMs = LIMIT_MS, workerMb = MAX_WORKER_MB } = {}) {
    this.#limitMs = limitMs;
    this.#workerMb = workerMb;
  }

  render(markdown: string, { path, links, embed }: RenderContext): Promise<RenderedPage> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job: { markdown, path, links }, embed, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    const worker = this.#idle.pop() ?? (this.#workers < MAX_WORKERS ? this.#start() : undefined);
    if (worker === undefined) return;
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#idle.push(worker);
    else this.#run(worker, waiting);
  }

  #start(): Worker {
    const worker = new Worker(WORKER, {
      resourceLimits: { maxOldGenerationSizeMb: this.#workerMb },
    });
    // An idle one keeps no process alive.
    worker.unref();
    // It may run out of memory after it has sent its page, and fail once more while it ends.
    worker.on('error', () => this.#forget(worker));
    this.#workers += 1;
    return worker;
  }

  #run(worker: Worker, { job, embed, resolve, reject }: Waiting): void {
    const send = (message: ToWorker) => worker.postMessage(message);
    let isOver = false;
    const end = (isUsable: boolean) => {
      isOver = true;
      clearTimeout(timer);
      worker.off('message', take);
      worker.off('error', fail);
      if (isUsable) this.#idle.push(worker);
      else this.#drop(worker);
      this.#next();
    };
    const giveUp = () => {
      end(false);
      resolve({ ...plainText(job.markdown), isGivenUp: true });
    };
    const fail = (error: Error & { code?: string }) => {
      // An embed may be found, or not, after the page was given up.
      if (isOver) return;
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return giveUp();
      end(false);
      reject(error);
    };
    const take = (message: FromWorker) => {
      if (message.kind === 'begun') {
        clearTimeout(timer);
        timer = setTimeout(giveUp, this.#limitMs);
        return;
      }
      if (message.kind === 'embed') {
        embed(message.written, message.from).then((found) => send({ kind: 'embedded', found }), fail);
        return;
      }
      end(true);
      if (message.kind === 'rendered') resolve(message.page);
      else reject(message.error);
    };
    // The page begins when the thread has started.
    let timer = setTimeout(giveUp, START_MS);
    worker.on('message', take);
    worker.on('error', fail);
    send({ kind: 'render', job });
  }

  #drop(worker: Worker): void {
    this.#workers -= 1;
    void worker.terminate();
  }

  #forget(worker: Worker): void {
    const at = this.#idle.indexOf(worker);
    if (at === -1) return;
    this.#idle.splice(at, 1);
    this.#drop(worker);
  }
}
