/** How a command talks with whoever started it. */
export interface Talk {
  /** Tells a step, for people to see that it goes on. */
  say(line: string): void;
  /** @returns whether they agreed. @throws AwsFailure `not_agreed` where nobody can be asked. */
  agree(question: string): Promise<boolean>;
}
