/** The input and output of a command for the person who started it. */
export interface Talk {
  /** Tells a step, for people to see that it goes on. */
  say(line: string): void;
  /** @returns whether they agreed. @throws AwsFailure `not_agreed` if nobody can be asked. */
  agree(question: string): Promise<boolean>;
}
