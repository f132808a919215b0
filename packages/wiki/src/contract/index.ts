export { connect, type Send } from './connect.ts';
export { cutError } from './cut-error.ts';
export { callOperation, type DispatchOptions, dispatch } from './dispatch.ts';
export { effectOf, goesOnLater } from './effect.ts';
export {
  contractOfThisSide,
  errorReply,
  isStart,
  type Reply,
  type Request,
  reply,
  START,
} from './envelope.ts';
export {
  absenceIn,
  cureByPerson,
  type ErrorCode,
  type ErrorData,
  type ErrorText,
  errorCodes,
  nextAtTerminal,
  noSuchWiki,
  toWikiError,
  WikiError,
} from './errors.ts';
export { newRequestId, type Oid, wikiName } from './ids.ts';
export { limits } from './limits.ts';
export { addHints, type Operation } from './operation.ts';
export {
  describeRemote,
  type Projection,
  parseRemoteFolder,
  type RemoteSettings,
  type ShownSync,
  type SyncReport,
} from './operations/remotes.ts';
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
export { liesIn, type Scope, scope } from './scope.ts';
export { describeScope, parseScope, type ScopeSetting } from './scope-setting.ts';
export { type Author, aroundEach, type Call, type Caller, methodOf, type Wiki, wikiOf } from './wiki.ts';
