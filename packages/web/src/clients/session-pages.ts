import type { Context } from 'hono';
import type { Session } from '../login/sessions.ts';
import type { ErrorStatus } from '../site/error-page.ts';
import type { Sheet, SignedIn } from '../site/layout.ts';

/** The parts of pages that are of a person, and of no wiki. */
export interface SessionPages {
  /** Null if nobody is logged in. */
  sessionOf(context: Context): Promise<Session | null>;
  signedIn(session: Session): SignedIn;
  show(context: Context, sheet: Sheet, person: SignedIn, status: ErrorStatus): Promise<Response>;
}
