import { expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { testRandom } from '../../../../labs/seeded-random.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { Project, type Way } from './folder-world.ts';

const ROUNDS = sampled(60, 6);
const PAGES = ['Start', 'Guide/Use', 'Guide/Begin', 'a/b/c/Deep', 'New'];
const FOLDERS = ['docs', 'a/b'];
const WAYS: Way[] = [{}, { hasFilters: false }, { isOld: true }];

test(
  'changes on both sides in any order, with lost answers and reports: the folder is what git says, and each commit comes once',
  async () => {
    const random = testRandom();
    const pick = <T>(choices: readonly T[]) => choices[Math.floor(random() * choices.length)] as T;
    const project = await Project.open({ folder: pick(FOLDERS) }, pick(WAYS));
    // The pages that both sides have before they know each other come as one commit.
    await project.sync();
    const sides = new Sides(project, random);
    for (let round = 0; round < ROUNDS; round += 1) {
      // Between two syncs a page belongs to one side: so there is one right answer.
      const owners = new Map(PAGES.map((page) => [page, pick(['wiki', 'remote', 'nobody'])]));
      for (let step = Math.floor(random() * 6); step >= 0; step -= 1) {
        const page = pick(PAGES);
        if (owners.get(page) === 'wiki') await sides.changeWiki(page);
        else if (owners.get(page) === 'remote') sides.changeRemote(page);
        else sides.changeOutside();
      }
      await sides.syncWith(
        pick(['none', 'none', 'answer lost', 'cut off', 'process died', 'pull first', 'forgotten']),
      );
      await sides.requireExpected();
    }
    sides.requireOnce();
  },
  ROUNDS * 60_000,
);

type Trouble = 'none' | 'answer lost' | 'cut off' | 'process died' | 'pull first' | 'forgotten';

/** Both sides, and what the folder has to hold by what was written. */
class Sides {
  readonly #project: Project;
  readonly #random: () => number;
  readonly #expected = new Map<string, string>();
  readonly #messages = { wiki: [] as string[], remote: [] as string[] };
  #isForgotten = false;
  #count = 0;

  constructor(project: Project, random: () => number) {
    this.#project = project;
    this.#random = random;
  }

  async changeWiki(page: string): Promise<void> {
    const { world } = this.#project;
    const { text, message } = this.#next(page);
    const isThere = this.#expected.has(page);
    const version = isThere ? { version: (await world.run('read_page', { path: page })).version } : {};
    if (isThere && this.#random() < 0.3) {
      await world.run('delete_page', { path: page, ...version, message });
      this.#expected.delete(page);
    } else {
      await world.run('write_page', { path: page, content: text, ...version, message });
      this.#expected.set(page, text);
    }
    this.#messages.wiki.push(message);
  }

  changeRemote(page: string): void {
    const { text, message } = this.#next(page);
    const isDeleted = this.#expected.has(page) && this.#random() < 0.3;
    this.#project.change({ [`${page}.md`]: isDeleted ? null : text }, 'Bob', message);
    if (isDeleted) this.#expected.delete(page);
    else this.#expected.set(page, text);
    this.#messages.remote.push(message);
  }

  changeOutside(): void {
    const file = `src/file${Math.floor(this.#random() * 3)}.c`;
    this.#project.changeAll({ [file]: this.#next(file).text }, 'Carol', 'Outside');
  }

  async syncWith(trouble: Trouble): Promise<void> {
    const { world } = this.#project;
    const { fault, report } = world;
    if (trouble === 'forgotten') {
      world.report = null;
      this.#isForgotten = true;
    }
    if (trouble === 'pull first') await this.#project.sync({ ...world.settings, mode: 'pull' });
    if (trouble === 'answer lost' || trouble === 'cut off') {
      world.fault = async (exchange) => {
        await fault?.(exchange);
        if (!exchange.request.url?.endsWith('/git-receive-pack')) return undefined;
        if (trouble === 'answer lost') await exchange.real();
        exchange.request.socket.destroy();
        return new Promise<never>(() => {});
      };
      await this.#project.sync();
      world.fault = fault;
    }
    await this.#project.sync();
    if (trouble !== 'process died') return;
    world.report = report;
    await this.#project.sync();
  }

  async requireExpected(): Promise<void> {
    const project = this.#project;
    await project.requireInStep();
    const all = git(project.world.bare, ['ls-tree', '-r', '--name-only', 'main']).split('\n');
    const files = all.filter((file) => file.startsWith(`${project.folder}/`));
    const names = files.map((file) => file.slice(project.folder.length + 1, -'.md'.length));
    expect(names.sort()).toEqual([...this.#expected.keys()].sort());
    for (const [page, text] of this.#expected) expect(`${project.show(`${page}.md`)}\n`).toBe(text);
  }

  /** Each commit of a side came to the other one once, or is named there. Without reports its name may be missing. */
  requireOnce(): void {
    const { wiki, remote } = this.#messages;
    const times = (side: 'wiki' | 'remote', messages: string[]) => {
      const lines = this.#project.log(side, '%B');
      const named = (message: string) =>
        lines.filter((line) => line === message || line.startsWith(`- ${message} (`));
      return messages.map((message) => [message, named(message).length]);
    };
    const expected = this.#isForgotten ? expect.toBeOneOf([0, 1]) : 1;
    const once = (messages: string[]) => messages.map((message) => [message, expected]);
    expect(times('remote', wiki)).toEqual(once(wiki));
    expect(times('wiki', remote)).toEqual(once(remote));
    const figures = `${wiki.length} commits of the wiki and ${remote.length} of the remote, each once on the other side`;
    process.stdout.write(`${ROUNDS} rounds: ${figures}\n`);
  }

  #next(page: string): { text: string; message: string } {
    this.#count += 1;
    return { text: `Text ${this.#count} of ${page}.\n`, message: `Message ${this.#count}.` };
  }
}
