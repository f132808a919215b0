import { slowness } from './machine-speed.ts';

/**
 * Starts to measure for how long this process keeps others waiting. The returned function ends the measurement and
 * gives the longest wait in milliseconds of the processor time of an idle machine: other processes do not count.
 */
export function longestTurn(): () => number {
  const now = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  let [last, longest] = [now(), 0];
  const look = () => {
    const time = now();
    longest = Math.max(longest, time - last);
    last = time;
  };
  const timer = setInterval(look, 1);
  return () => {
    clearInterval(timer);
    look();
    return longest / slowness();
  };
}
