import { findingTasks } from './finding-tasks.ts';
import type { Task } from './task.ts';
import { writingTasks } from './writing-tasks.ts';

/** In this order: later tasks build on what earlier ones wrote. */
export const tasks: readonly Task[] = [...findingTasks, ...writingTasks];
