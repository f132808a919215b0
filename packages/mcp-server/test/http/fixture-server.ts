import { type CallToolResult, Server, type ServerContext } from '@modelcontextprotocol/server';
import { serveSite } from '../../../web/src/cli/serve.ts';
import { refusalOf } from '../../src/mcp/http/admission.ts';
import { ALONE, Endpoint, EndpointRoom } from '../../src/mcp/http/endpoint.ts';

/** One transparent pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
/** A sound of no length. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

/**
 * Serves the tools, resources and prompts that MCP's conformance suite calls, by the endpoint of `pnpm serve`: what of the
 * protocol the wiki's own tools have no use for is seen on these.
 */
export async function openFixture(): Promise<{ url: string; close(): Promise<void> }> {
  const { port, close } = await serveSite({ port: 0 }, (bound) => {
    const hosts = [`localhost:${bound}`, `127.0.0.1:${bound}`];
    const endpoint = new Endpoint({
      refusalOf: (request) => refusalOf(request, { hosts, token: null }),
      room: new EndpointRoom(),
      bounds: ALONE,
      log: () => {},
      factory: newServer,
      watch: async () => null,
    });
    return {
      fetch: (request, sent = Promise.resolve()) => endpoint.fetch(request, sent),
      warm: async () => {},
      end: () => endpoint.close(),
    };
  });
  return { url: `http://localhost:${port}/mcp`, close };
}

function newServer(): Server {
  const server = new Server(
    { name: 'fixture', version: '1' },
    { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} } },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = TOOLS[params.name];
    if (tool === undefined) throw new Error('There is no such tool.');
    return tool(context);
  });
  server.setRequestHandler('resources/list', () => ({
    resources: [TEXT, BINARY].map(({ uri, mimeType }) => ({ uri, mimeType, name: uri })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'data' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => ({ contents: [resourceAt(uri)] }));
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({ name })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const content = PROMPTS[params.name]?.(params.arguments ?? {}) ?? [];
    return { messages: content.map((each) => ({ role: 'user' as const, content: each })) };
  });
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
  return server;
}

type Content = CallToolResult['content'][number];

const TEXT = { uri: 'test://static-text', mimeType: 'text/plain', text: 'The text of a resource.' };
const BINARY = { uri: 'test://static-binary', mimeType: 'image/png', blob: PNG };
const EMBEDDED: Content = {
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'A resource in an answer.' },
};
const IMAGE: Content = { type: 'image', data: PNG, mimeType: 'image/png' };

function resourceAt(uri: string) {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) return { uri, mimeType: 'application/json', text: JSON.stringify({ id }) };
  return uri === BINARY.uri ? BINARY : TEXT;
}

const say =
  (...content: Content[]) =>
  (): CallToolResult => ({ content });
const text = (value: string): Content => ({ type: 'text', text: value });

const TOOLS: Readonly<Record<string, (context: ServerContext) => CallToolResult | Promise<CallToolResult>>> =
  {
    test_simple_text: say(text('This is a simple text response for testing.')),
    test_image_content: say(IMAGE),
    test_audio_content: say({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
    test_embedded_resource: say(EMBEDDED),
    test_multiple_content_types: say(text('Several kinds.'), IMAGE, EMBEDDED),
    test_error_handling: () => ({
      isError: true,
      content: [text('This tool intentionally returns an error for testing')],
    }),
    test_tool_with_progress: async ({ mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken ?? 0;
      for (const progress of [0, 50, 100]) {
        const params = { progressToken, progress, total: 100, message: `${progress} of 100` };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return { content: [text('Done.')] };
    },
  };

const PROMPTS: Readonly<Record<string, (given: Readonly<Record<string, string>>) => Content[]>> = {
  test_simple_prompt: () => [text('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => [
    {
      type: 'resource',
      resource: { uri: resourceUri, mimeType: 'text/plain', text: 'A resource in a prompt.' },
    },
    text('Please process the resource above.'),
  ],
  test_prompt_with_image: () => [IMAGE, text('Please look at the image above.')],
};
