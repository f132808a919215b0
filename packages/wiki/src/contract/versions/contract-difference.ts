import { effectOf } from '../effect.ts';
import type { Reply } from '../envelope.ts';
import { cureByPerson, WikiError } from '../errors.ts';
import type { OperationName } from '../operations.ts';
import { CONTRACT_FINGERPRINT, CONTRACT_VERSION } from './contract-version.ts';

/** Errors for a call whose two sides speak different contracts: they say which side to update. */

/** The facts that the other side states about its contract. */
interface Stated {
  contract?: number | undefined;
  fingerprint?: string | undefined;
}

/** `another build`: the version is the same, but not the contract. No order is known then. */
type Difference = 'older' | 'newer' | 'another build';

/** How the contract of the other side differs from this side's; null if it is the same. Version 1 states nothing. */
function differenceOf({ contract = 1, fingerprint }: Stated): Difference | null {
  if (contract !== CONTRACT_VERSION) return contract < CONTRACT_VERSION ? 'older' : 'newer';
  return fingerprint === CONTRACT_FINGERPRINT ? null : 'another build';
}

/**
 * True if a side refused a request of another contract before it did anything. Every version uses these words. The
 * client has parsed the arguments by its own contract, so a function of the same contract refuses none.
 */
function isRefusal(name: string, code: string, happened: string): boolean {
  const refusals = [
    `The arguments of ${name} do not fit:`,
    'There is no operation',
    'The event is not a request',
  ];
  return code === 'invalid_input' && refusals.some((refusal) => happened.startsWith(refusal));
}

/** For the client: the error if the function refused the call for its contract; null if not. */
export function refusedByContract(name: OperationName, reply: Reply & { ok: false }): WikiError | null {
  const { code, text } = reply.error;
  const difference = differenceOf(reply);
  if (difference === null || !isRefusal(name, code, text.happened)) return null;
  const [which, what] = {
    older: ['older than', 'does not know all that the call asks for'],
    newer: ['newer than', 'does not take the call as this server sends it'],
    'another build': ['of another build than', 'does not take the call as this server sends it'],
  }[difference];
  return new WikiError(
    'backend_unavailable',
    {
      happened: `The backend of this wiki is ${which} this server (${versions(reply)}) and ${what}. It says: ${text.happened}`,
      now: 'Nothing was read or changed.',
      ...cureByPerson(CURES[difference]),
      next: `Call again without what it does not take, or tell the person who runs this server: ${CURES[difference]}`,
    },
    contracts(reply),
  );
}

/**
 * For the function: adds the side to update to a refusal, if the client states another contract. Code and first words
 * stay: clients of every version know a refusal by them.
 */
export function withSideToUpdate(error: WikiError, event: unknown): WikiError {
  const { operation, contract, fingerprint } = (event ?? {}) as Record<string, unknown>;
  if (typeof contract !== 'number' || typeof operation !== 'string') return error;
  if (!isRefusal(operation, error.code, error.text.happened)) return error;
  const difference = differenceOf({
    contract,
    fingerprint: typeof fingerprint === 'string' ? fingerprint : '',
  });
  if (difference === null) return error;
  // Seen from here the client is the other side.
  const cure = { older: UPDATE_SERVER, newer: UPDATE_BACKEND, 'another build': UPDATE_BOTH }[difference];
  return new WikiError(error.code, { ...error.text, ...cureByPerson(cure) }, error.data, {
    cause: error.cause,
  });
}

/** The error if the other side carried the call out but this side cannot read the answer. */
export function unreadableOutput(name: OperationName, input: unknown, stated: Stated): WikiError {
  const isWrite = effectOf(name, input) === 'write';
  const difference = differenceOf(stated) ?? 'another build';
  const which = difference === 'another build' ? 'of another build than' : `${difference} than`;
  return new WikiError(
    isWrite ? 'write_state_unknown' : 'backend_unavailable',
    {
      happened: `The backend of this wiki is ${which} this server (${versions(stated)}), and its answer to ${name} cannot be read here.`,
      now: isWrite ? 'It did what was asked for; read the page to see it.' : 'Nothing was changed.',
      ...cureByPerson(CURES[difference]),
    },
    contracts(stated),
  );
}

function versions({ contract = 1 }: Stated): string {
  return `contract ${contract}, here ${CONTRACT_VERSION}`;
}

function contracts({ contract = 1 }: Stated): Record<string, number> {
  return { backend_contract: contract, server_contract: CONTRACT_VERSION };
}

const UPDATE_BACKEND =
  'Update the backend: on AWS, deploy the stack again with `pnpm deploy:aws` from the version that this server has.';
const UPDATE_SERVER = 'Update this server to the version from which the backend was deployed.';
const UPDATE_BOTH = 'Update this server and the backend to the same version.';

const CURES = { older: UPDATE_BACKEND, newer: UPDATE_SERVER, 'another build': UPDATE_BOTH };
