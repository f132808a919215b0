import { isOid, type ObjectType } from '../../formats/oid.ts';
import { type Fault, fault } from './fault.ts';
import { headersFault, identityFault } from './header-lines.ts';

/** The first fault that `git fsck --strict` finds in the bytes of a tag, or null. */
export function tagFault(content: Uint8Array): Fault | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const found = headersFault(bytes);
  if (found !== null) return found;
  const [object, type, tag, tagger] = bytes.toString('latin1').split('\n', 4);
  const named = headerValue(object, 'object');
  if (named === null) return fault('missingObject', 'its first line names no object');
  if (!isOid(named)) return fault('badObjectSha1', 'the name of its object is not 40 hexadecimal digits');
  const kind = headerValue(type, 'type');
  if (kind === null) return fault('missingTypeEntry', 'it does not say of what type its object is');
  if (!TYPES.has(kind)) return fault('badType', 'its object is of a type that git does not know');
  if (headerValue(tag, 'tag') === null) return fault('missingTagEntry', 'it has no name');
  if (bytes.length < LEAST_BYTES) return fault('missingTag', 'it is too short');
  const by = headerValue(tagger, 'tagger');
  return by === null ? null : identityFault(by, 'tagger');
}

/** The object that a tag without faults points to. */
export function taggedObject(content: Uint8Array): { oid: string; type: ObjectType } {
  const [object = '', type = ''] = Buffer.from(content).toString('latin1').split('\n', 2);
  return { oid: object.slice('object '.length), type: type.slice('type '.length) as ObjectType };
}

function headerValue(line: string | undefined, name: string): string | null {
  return line?.startsWith(`${name} `) ? line.slice(name.length + 1) : null;
}

const TYPES: ReadonlySet<string> = new Set(['commit', 'tree', 'blob', 'tag']);
/** Git does not read a shorter tag. */
const LEAST_BYTES = 64;
