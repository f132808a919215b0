import type { Input, Output } from '../../../contract/operations.ts';
import type { Session } from '../../session.ts';

export async function listRefs(
  { repository }: Session,
  _input: Input<'list_refs'>,
): Promise<Output<'list_refs'>> {
  return repository.sending.refs();
}
