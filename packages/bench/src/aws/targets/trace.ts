import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetTracesCommand } from '@aws-sdk/client-xray';
import { z } from 'zod';
import { type Aws, attempt } from '../aws.ts';

/** X-Ray takes some seconds until it reports a trace. */
const TRIES = 20;
const PAUSE_MS = 2_000;

const subsegment = z.object({ name: z.string(), start_time: z.number(), end_time: z.number().optional() });
const segment = z.object({ origin: z.string().optional(), subsegments: z.array(subsegment).default([]) });

/**
 * X-Ray's times of one start of a function, in milliseconds, by its names of the parts.
 * @returns nothing if it keeps silent: not every call is traced.
 */
export async function partsOfTrace(
  { xray }: Pick<Aws, 'xray'>,
  traceId: string,
  pauseMs = PAUSE_MS,
): Promise<Record<string, number>> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { Traces } = await attempt('read a trace from X-Ray', () =>
      xray.send(new BatchGetTracesCommand({ TraceIds: [traceId] })),
    );
    const documents = Traces?.[0]?.Segments?.map(({ Document = '{}' }) =>
      segment.parse(JSON.parse(Document)),
    );
    const started = documents?.find(({ origin }) => origin === 'AWS::Lambda::Function');
    if (started) return Object.fromEntries(started.subsegments.flatMap(part));
    await sleep(pauseMs);
  }
  return {};
}

function part({ name, start_time, end_time }: z.infer<typeof subsegment>): [string, number][] {
  return end_time === undefined ? [] : [[`X-Ray: ${name}`, (end_time - start_time) * 1000]];
}
