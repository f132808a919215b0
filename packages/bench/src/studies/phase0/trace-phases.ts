import { z } from 'zod';

const traceDocument = z.object({
  trace_id: z.string(),
  subsegments: z
    .array(z.object({ name: z.string(), start_time: z.number(), end_time: z.number() }))
    .default([]),
});

/** The phases that the function reported of one call, in milliseconds; nothing if its datagram is not there yet. */
export function phasesIn(documents: readonly unknown[], traceId: string): Record<string, number> {
  const own = documents.map((each) => traceDocument.parse(each)).find((each) => each.trace_id === traceId);
  const phases: Record<string, number> = {};
  for (const { name, start_time: from, end_time: to } of own?.subsegments ?? [])
    phases[name] = (phases[name] ?? 0) + (to - from) * 1000;
  return phases;
}
