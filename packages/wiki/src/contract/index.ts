export { connect, type Send } from './connect.ts';
export { callOperation, type DispatchOptions, dispatch } from './dispatch.ts';
export { type Reply, type Request, reply } from './envelope.ts';
export {
  type ErrorCode,
  type ErrorData,
  type ErrorText,
  errorCodes,
  toWikiError,
  WikiError,
} from './errors.ts';
export { newRequestId, type Oid, wikiName } from './ids.ts';
export { limits } from './limits.ts';
export type { Operation } from './operation.ts';
export {
  type CallInput,
  type Input,
  isOperationName,
  type OperationName,
  type Output,
  operationNames,
  operations,
} from './operations.ts';
export { parseInput } from './parse-input.ts';
export { type Scope, scope } from './scope.ts';
export type { Author, Call, Caller, Wiki } from './wiki.ts';
