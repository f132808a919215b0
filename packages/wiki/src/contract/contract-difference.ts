import { effectOf } from './effect.ts';
import { CONTRACT_VERSION, type Reply } from './envelope.ts';
import { cureByPerson, WikiError } from './errors.ts';
import type { OperationName } from './operations.ts';

/** Errors for a call whose two sides speak different contracts: they say which side to update. */

/**
 * The reason why an older side refused a request that fits this side's contract; null if it did not refuse it
 * for that. Every version uses these words. If the other side is not older, such a refusal concerns the
 * arguments themselves.
 */
export function whatIsUnknown(
  name: OperationName,
  { contract = 1, error: { code, text } }: Reply & { ok: false },
): string | null {
  if (code !== 'invalid_input' || contract >= CONTRACT_VERSION) return null;
  const refusals = [
    `The arguments of ${name} do not fit:`,
    'There is no operation',
    'The event is not a request',
  ];
  return refusals.some((refusal) => text.happened.startsWith(refusal)) ? text.happened : null;
}

/** The error if the other side does not know what this side sent. It has done nothing. */
export function otherSideOlder(unknown: string, contract: number | undefined): WikiError {
  return new WikiError(
    'backend_unavailable',
    {
      happened: `The backend of this wiki is older than this server (contract ${contract ?? 1}, here ${CONTRACT_VERSION}) and does not know all that the call asks for. It says: ${unknown}`,
      now: 'Nothing was read or changed.',
      ...cureByPerson(UPDATE_BACKEND),
      next: `Call again without what it does not know, or tell the person who runs this server: ${UPDATE_BACKEND}`,
    },
    contracts(contract),
  );
}

/** The error if the other side carried the call out but this side cannot read the answer. */
export function unreadableOutput(
  name: OperationName,
  input: unknown,
  contract: number | undefined,
): WikiError {
  const isWrite = effectOf(name, input) === 'write';
  const isNewer = contract !== undefined && contract > CONTRACT_VERSION;
  const isSame = contract === CONTRACT_VERSION;
  const which = isSame ? 'of another build than' : isNewer ? 'newer than' : 'older than';
  return new WikiError(
    isWrite ? 'write_state_unknown' : 'backend_unavailable',
    {
      happened: `The backend of this wiki is ${which} this server (contract ${contract ?? 1}, here ${CONTRACT_VERSION}), and its answer to ${name} cannot be read here.`,
      now: isWrite ? 'It did what was asked for; read the page to see it.' : 'Nothing was changed.',
      ...cureByPerson(isSame ? UPDATE_BOTH : isNewer ? UPDATE_SERVER : UPDATE_BACKEND),
    },
    contracts(contract),
  );
}

function contracts(backend: number | undefined): Record<string, number> {
  return { backend_contract: backend ?? 1, server_contract: CONTRACT_VERSION };
}

const UPDATE_BACKEND =
  'Update the backend: on AWS, deploy the stack again with `pnpm deploy:aws` from the version that this server has.';
const UPDATE_SERVER = 'Update this server to the version from which the backend was deployed.';
const UPDATE_BOTH = 'Update this server and the backend to the same version.';
