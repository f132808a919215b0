import { appendFileSync } from 'node:fs';

/**
 * A vitest reporter that writes each event as one line of JSON to `--outputFile.events=FILE`, as it happens: a run that
 * is stopped leaves what it did until then. `results.mjs` reads it.
 *
 * @public vitest loads it by its path.
 */
export default class EventReporter {
  #file;

  onInit({ config }) {
    this.#file = config.outputFile.events;
  }

  onTestModuleStart({ moduleId }) {
    this.#add({ file: moduleId, kind: 'started' });
  }

  onTestCaseResult(test) {
    const { state, errors } = test.result();
    this.#add({
      file: test.module.moduleId,
      kind: 'test',
      test: test.fullName,
      state,
      messages: messagesOf(errors),
    });
  }

  onTestModuleEnd(module) {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    const suites = [...module.children.allSuites()];
    const messages = messagesOf([module, ...suites].flatMap((part) => part.errors()));
    const tests = { total: states.length, passed: states.filter((state) => state === 'passed').length };
    this.#add({ file: module.moduleId, kind: 'ended', state: module.state(), ...tests, messages });
  }

  onTestRunEnd(modules, unhandledErrors) {
    for (const error of unhandledErrors) {
      const dead = filesThatDied(modules, error);
      for (const file of dead) this.#add({ file, kind: 'died', messages: [error.cause.message] });
      if (dead.length > 0) continue;
      this.#add({ file: error.VITEST_TEST_PATH, kind: 'unhandled', messages: messagesOf([error]) });
    }
    this.#add({ kind: 'finished' });
  }

  #add(event) {
    appendFileSync(this.#file, `${JSON.stringify({ at: Date.now(), ...event })}\n`);
  }
}

/** Where the process of a test file ends before the file does, vitest names the file in the cause of its error alone. */
function filesThatDied(modules, { cause }) {
  const message = String(cause?.message);
  if (!message.startsWith('Worker exited unexpectedly')) return [];
  return modules.map(({ moduleId }) => moduleId).filter((file) => message.includes(file));
}

function messagesOf(errors = []) {
  return errors.map(({ message, stack = '' }) => (stack.includes(message) ? stack : `${message}\n${stack}`));
}
