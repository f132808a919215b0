/**
 * The names by which the studies' resources on AWS are found again: one set of them in an account and region.
 */
export const STACK = 'PagetreeStudies';
export const GROUND_STACK = `${STACK}-Ground`;

export const FUNCTIONS = {
  probe: `${STACK}-probe`,
  seed: `${STACK}-seed`,
  elastic: `${STACK}-elastic`,
  bursting: `${STACK}-bursting`,
  dulwich: `${STACK}-dulwich`,
  empty: `${STACK}-empty`,
} as const;
export type FunctionKey = keyof typeof FUNCTIONS;

export const CLUSTER = `${STACK}-tasks`;
export const TASK_FAMILY = `${STACK}-probe`;
export const CONTAINER = 'probe';

export const TASK_LOG_GROUP = `/aws/ecs/${STACK}`;
/** The functions' log groups, by Lambda's own names: whole names, as another stack's may begin like the studies'. */
export const LOG_GROUPS: readonly string[] = [
  ...Object.values(FUNCTIONS).map((name) => `/aws/lambda/${name}`),
  TASK_LOG_GROUP,
];

export function bucketName(account: string, region: string): string {
  return `pagetree-studies-${account}-${region}`;
}

/** Below this each record of the jitter study is an object of its own. */
export const RESULTS = 'results/jitter/';
