/** True for a scenario that calls tools, resources or prompts of the suite's own. */
export function isOnFixture(scenario: string): boolean {
  return /^(tools-call|resources-read|resources-templates|prompts-get)-/.test(scenario);
}

const REASONS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /sampling|elicitation|^input-required-result/,
    'This server asks clients for nothing: no sampling, elicitation or roots.',
  ],
  [
    /logging/,
    'Deprecated in 2026-07-28; where requests stand alone, no level can be kept. The capability is not stated.',
  ],
  [
    /^resources-(un)?subscribe$/,
    'Needs a session; `subscriptions/listen` serves 2026-07-28. The capability is not stated.',
  ],
  [/^tasks-/, 'An extension that this server does not have.'],
  [
    /^json-schema-2020-12$/,
    'Asks for a tool of its own with a schema of its own. Not scored: the suite calls it pending.',
  ],
  [/^server-sse-polling$/, 'Resuming streams needs a session. Not scored: the suite calls it pending.'],
  [/^http-custom-header-server-validation$/, 'No tool copies arguments into headers. Not scored: pending.'],
];

/** The reason for which a check is not for this server; null if it is. */
export function inapplicable(revision: string, scenario: string, check: string): string | null {
  // The one scenario of which two checks ask for sampling.
  if (revision === '2026-07-28' && /^sep-2575-(server-rejects-undeclared|missing)-capability/.test(check)) {
    return 'Asks for a tool that needs sampling.';
  }
  return REASONS.find(([pattern]) => pattern.test(scenario))?.[1] ?? null;
}
