/** The configuration, the working parts, and for each fault the next step. */
export interface Diagnosis {
  report: string;
  healthy: boolean;
}

export function diagnosisOf(facts: readonly string[], problems: readonly string[]): Diagnosis {
  const verdict =
    problems.length === 0
      ? 'Everything works.'
      : problems.map((problem, index) => `Problem ${index + 1}: ${problem}`).join('\n');
  return { report: `${facts.join('\n')}\n\n${verdict}\n`, healthy: problems.length === 0 };
}

export function fact(name: string, value: string): string {
  return `${`${name}:`.padEnd(13)}${value}`;
}
