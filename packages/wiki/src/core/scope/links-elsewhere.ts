import type { Scope } from '../../contract/scope.ts';
import { namesOf } from './refusals.ts';

/**
 * Records whether a call changed names to which pages elsewhere may link. Those pages are not examined:
 * refusing the change, rewriting the pages or counting their links would each reveal their content. So every
 * such answer says the same.
 */
export class LinksElsewhere {
  readonly #scope: Scope;
  #areUnknown = false;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /**
   * Called when links were searched for: after a name came, went or moved, and only among the pages of the
   * scope.
   */
  lookedFor(): void {
    this.#areUnknown = true;
  }

  /** Adds to an operation's answer that links elsewhere were not examined. */
  addTo(answer: unknown): unknown {
    if (!this.#areUnknown || !isChange(answer)) return answer;
    const places = namesOf(this.#scope.read);
    return {
      ...answer,
      links_elsewhere: `Pages outside of ${places} were not looked at. Links on them to what this change moves, deletes or adds may lead elsewhere or nowhere now. check_wiki finds those that lead nowhere where the whole wiki may be seen.`,
    };
  }
}

function isChange(answer: unknown): answer is { changed: true } {
  return typeof answer === 'object' && answer !== null && 'changed' in answer && answer.changed === true;
}
