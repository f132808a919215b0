import { expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { testRandom } from '../../../../labs/seeded-random.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { Project } from './folder-world.ts';
import { folderOf, OneHistory } from './one-history.ts';
import { RandomPeople } from './random-people.ts';

const ROUNDS = sampled(60, 8);

test(
  'branches, merges, amended commits, pushes by force, lost reports and answers: the wiki is what git merges of one history',
  async () => {
    const random = testRandom();
    const project = await Project.open({}, WAYS[Math.floor(random() * WAYS.length)]);
    const history = new OneHistory(project);
    const people = new RandomPeople({ project, history, random });
    const syncs = new Syncs(project, history, people);
    project.changeAll({ 'docs/A.md': 'a\n', 'docs/B.md': 'b\n', 'docs/D/E.md': 'e\n' });
    const { world } = project;
    for (const oid of git(world.bare, ['rev-list', '--reverse', 'main']).split('\n')) history.made(oid);
    await syncs.sync();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let step = Math.floor(random() * 5); step >= 0; step -= 1) {
        if (random() < 0.35) await people.workHere();
        else people.workThere();
      }
      if (random() < 0.35) await syncs.choose(people.pick([...people.branches.keys()]));
      syncs.loseReport(people.pick(['kept', 'kept', 'lost', 'old']));
      if (random() < 0.2) await syncs.syncWithoutAnswer();
      await syncs.sync(random() < 0.2 ? 'pull' : 'two-way');
    }
    world.requireSound();
  },
  ROUNDS * 60_000,
);

const WAYS = [{}, {}, { hasFilters: false }, { isOld: true }];

/** The syncs of a wiki with branches of the remote, each compared with what git merges. */
class Syncs {
  readonly #project: Project;
  readonly #history: OneHistory;
  readonly #people: RandomPeople;
  readonly #reports: Project['world']['report'][] = [];
  #settings: Project['world']['settings'];
  #branch = 'main';

  constructor(project: Project, history: OneHistory, people: RandomPeople) {
    this.#project = project;
    this.#history = history;
    this.#people = people;
    this.#settings = project.world.settings;
  }

  async choose(branch: string): Promise<void> {
    this.#branch = branch;
    this.#settings = await this.#project.choose(branch);
  }

  loseReport(how: 'kept' | 'lost' | 'old'): void {
    const { world } = this.#project;
    if (how === 'lost') world.report = null;
    if (how === 'old') world.report = this.#people.pick(this.#reports);
    this.#people.log.push(`report ${how}`);
  }

  /** The answer of the push is lost. */
  async syncWithoutAnswer(): Promise<void> {
    const { world } = this.#project;
    const { fault } = world;
    world.fault = async (exchange) => {
      await fault?.(exchange);
      if (!exchange.request.url?.endsWith('/git-receive-pack')) return undefined;
      await exchange.real();
      exchange.request.socket.destroy();
      return new Promise<never>(() => {});
    };
    await this.#compared(() => this.#project.sync(this.#settings), 'without an answer');
    world.fault = fault;
  }

  async sync(mode: 'two-way' | 'pull' = 'two-way'): Promise<void> {
    const { tip, after, said } = await this.#compared(
      () => this.#project.sync({ ...this.#settings, mode }),
      mode,
    );
    const { world } = this.#project;
    expect(world.report?.state, `${world.report?.words}${said}`).toBe('in_step');
    if (mode === 'pull') expect(after).toBe(tip);
    else expect(folderOf(world.bare, after), said).toBe(await this.#tree());
    this.#reports.push(world.report);
  }

  async #compared(sync: () => Promise<unknown>, how: string) {
    const { log, branches } = this.#people;
    const { world } = this.#project;
    const tip = branches.get(this.#branch) ?? '';
    const expected = this.#history.expected(tip);
    log.push(`sync ${this.#branch} at ${tip.slice(0, 7)}, ${how}`);
    await sync();
    const said = `\n${log.join('\n')}`;
    const actual = await this.#tree();
    if (expected !== null && expected !== actual) {
      const list = git(world.directory, ['ls-tree', '-r', actual]).replaceAll('100644 blob ', '');
      expect(`${actual}\n${list}`, said).toBe(`${expected}\n${this.#history.list(expected)}`);
    }
    const after = this.#people.branches.get(this.#branch) ?? '';
    git(world.bare, ['merge-base', '--is-ancestor', tip, after]);
    expect(this.#project.outside(after)).toBe(this.#project.outside(tip));
    await this.#history.synced(tip, after);
    log.push(`= ${after.slice(0, 7)}`);
    return { tip, after, said };
  }

  async #tree(): Promise<string> {
    const { world } = this.#project;
    return git(world.directory, ['rev-parse', `${await world.head()}^{tree}`]);
  }
}
