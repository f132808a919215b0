import type { Attack, Outcome } from './attack.ts';

const COUNT = 50;

/**
 * Fifty attacks at once over one connection, taken from a list of them at even distances. Each is answered as it is
 * alone.
 */
export function attacksAtOnce(attacks: readonly Attack[]): Attack {
  const onWhole = attacks.filter(({ on }) => on === 'whole');
  const chosen = Array.from({ length: COUNT }, (_, at) => onWhole[Math.floor((at * onWhole.length) / COUNT)]);
  return {
    name: 'fifty attacks of other classes',
    on: 'whole',
    answers: ['as alone'],
    calls: COUNT,
    async act(targets, round) {
      const wrong: Outcome[] = [];
      await Promise.all(
        chosen.map(async (attack, at) => {
          if (attack === undefined) throw new Error('There are fewer attacks than calls.');
          const outcome = await attack.act(targets, `${round}-${at}`);
          if (!attack.answers.includes(outcome.code))
            wrong.push({ ...outcome, text: `${attack.name}: ${outcome.text}` });
        }),
      );
      return wrong[0] ?? { code: 'as alone', text: '', content: {} };
    },
  };
}
