import type { Decision } from '@pagetree/access/limit-to-rights';
import type { Person } from '@pagetree/access/rights';

/** An entry of the log about people: who asked for what, or who logged in. It holds no content: no path of a page and no text. */
export type AuditEvent =
  | {
      event: 'access';
      person: Pick<Person, 'issuer' | 'subject'>;
      decision: Decision;
      client?: AuditedClient;
    }
  | { event: 'login' | 'sign-out'; person: Pick<Person, 'issuer' | 'subject'> }
  | {
      event: 'token made' | 'token revoked' | 'client connected' | 'client revoked';
      person: Pick<Person, 'issuer' | 'subject'>;
      client: AuditedClient;
    }
  | {
      // The client revoked its token; or a code or a token came a second time, of which one may be stolen.
      // Or nothing is left that the client may see.
      event: 'client left' | 'token used twice' | 'client refused';
      person: Pick<Person, 'issuer' | 'subject'>;
      client: AuditedClient;
    }
  // A form that a page of ours did not send, or that asked for more than the person may.
  | { event: 'form refused'; person: Pick<Person, 'issuer' | 'subject'> }
  | { event: 'login refused'; reason: string };

/** A client that acts for the person. Its id is no secret. */
export interface AuditedClient {
  kind: 'token' | 'oauth';
  id: string;
}

export type Audit = (event: AuditEvent) => void;

/** One line of JSON. */
export function auditLine(time: Date, audited: AuditEvent): string {
  const { event } = audited;
  const at = { time: time.toISOString(), event };
  if (event === 'login refused') return JSON.stringify({ ...at, reason: audited.reason });
  const { issuer, subject } = audited.person;
  const client = 'client' in audited && audited.client !== undefined ? auditedClient(audited.client) : {};
  const by = { ...at, issuer, subject, ...client };
  if (event !== 'access') return JSON.stringify(by);
  const { operation, wiki, isAllowed, effect, commit } = audited.decision;
  return JSON.stringify({
    ...by,
    operation,
    effect,
    wiki,
    allowed: isAllowed,
    ...(commit !== null && { commit }),
  });
}

/** Without what else the client may have, as its name. */
function auditedClient({ kind, id }: AuditedClient): { client: AuditedClient } {
  return { client: { kind, id } };
}
