import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResultResponse,
} from '@modelcontextprotocol/server';

/**
 * The kinds of messages, told apart by their members. The messages have to be valid already, as those are that
 * `parseMessage` returned or the SDK made. The SDK's own guards check the whole message against a schema, and each call
 * asks ten times.
 */
export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

export function isNotification(message: JSONRPCMessage): message is JSONRPCNotification {
  return 'method' in message && !('id' in message);
}

export function isResult(message: JSONRPCMessage): message is JSONRPCResultResponse {
  return 'result' in message;
}

export function isError(message: JSONRPCMessage): message is JSONRPCErrorResponse {
  return 'error' in message;
}
