import type { Decision } from '@pagetree/access/limit-to-rights';
import type { Person } from '@pagetree/access/rights';

/** An entry of the log about people: who asked for what, or who logged in. It holds no content: no path of a page and no text. */
export type AuditEvent =
  | { event: 'access'; person: Pick<Person, 'issuer' | 'subject'>; decision: Decision }
  | { event: 'login' | 'sign-out'; person: Pick<Person, 'issuer' | 'subject'> }
  | { event: 'login refused'; reason: string };

export type Audit = (event: AuditEvent) => void;

/** One line of JSON. */
export function auditLine(time: Date, audited: AuditEvent): string {
  const { event } = audited;
  const at = { time: time.toISOString(), event };
  if (event === 'login refused') return JSON.stringify({ ...at, reason: audited.reason });
  const { issuer, subject } = audited.person;
  if (event !== 'access') return JSON.stringify({ ...at, issuer, subject });
  const { operation, wiki, isAllowed, effect } = audited.decision;
  return JSON.stringify({ ...at, issuer, subject, operation, effect, wiki, allowed: isAllowed });
}
