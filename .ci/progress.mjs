import { appendFileSync } from 'node:fs';

/**
 * A reporter that writes a line of JSON for each test and file as it ends, to `--outputFile.progress=FILE`: vitest's own
 * report is written at the very end, and a run that was stopped has none.
 *
 * @public vitest loads it by its path.
 */
export default class ProgressReporter {
  #file;

  onInit({ config }) {
    this.#file = config.outputFile.progress;
  }

  onTestModuleStart({ moduleId }) {
    this.#add({ name: moduleId, started: true });
  }

  onTestCaseResult(test) {
    const { state, errors = [] } = test.result();
    const messages = errors.map(({ message }) => message);
    this.#add({ name: test.module.moduleId, test: test.fullName, state, messages });
  }

  onTestModuleEnd({ moduleId }) {
    this.#add({ name: moduleId, ended: true });
  }

  #add(event) {
    appendFileSync(this.#file, `${JSON.stringify({ at: Date.now(), ...event })}\n`);
  }
}
