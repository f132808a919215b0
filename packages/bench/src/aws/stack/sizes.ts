/**
 * The memory for a read of the jitter study, as in the published study: Lambda's maximum, and in Fargate a
 * large task.
 */
export const PROBE_MIB = 10_240;
export const TASK_VCPU = 8;
export const TASK_GIB = 32;
