import { ProtocolErrorCode, type RequestId } from '@modelcontextprotocol/server';

/** A request that is refused as a whole, as JSON-RPC says it: without the id of a request, as none was taken. */
export function errorResponse(
  status: number,
  message: string,
  headers: Record<string, string> = {},
  error: { code: number; id: RequestId | undefined } = {
    code: ProtocolErrorCode.InvalidRequest,
    id: undefined,
  },
): Response {
  const { code, id } = error;
  return Response.json(
    { jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message } },
    { status, headers },
  );
}
