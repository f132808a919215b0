/** Limits for the part of a long run, such as a check or a repair, that one call does. */
export interface StepLimits {
  /** Called before each small step. If it returns false, the call keeps its progress and ends. */
  goOn(): boolean;
  /** Called with the number of objects read and their approximate total, 0 if unknown. */
  progress?: ((read: number, total: number) => void) | undefined;
}

/** The answer of such a call. */
export type Stepwise<Report> =
  | { isFinished: true; report: Report }
  /**
   * `isElsewhere`: another call works on the same run, which `began` at this time in milliseconds since 1970.
   */
  | ({ isFinished: false; isElsewhere: boolean; began: number } & ObjectCount);

/** The number of objects read and their approximate total, 0 if unknown. */
export interface ObjectCount {
  read: number;
  total: number;
}
