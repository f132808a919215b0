import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describedStack } from './aws-endpoint.ts';
import { type LocalServer, serveLocally } from './local-server.ts';

/** Actions that moto records and does not carry out. */
export interface Doing {
  /** The endpoint of the function of that name: the address of a Lambda lab, and the name there. */
  functionAt(name: string): { endpoint: string; functionArn: string };
  /** Before a function is changed in moto. */
  functionChanges(name: string): Promise<void>;
  /** Runs a task to its end. @returns its exit code. */
  runTask(definition: string, environment: Readonly<Record<string, string>>): Promise<number>;
  /** Before moto deletes a stack. */
  stackGoes(name: string): Promise<void>;
}

interface TaskInput {
  taskDefinition: string;
  overrides: { containerOverrides: { environment: { name: string; value: string }[] }[] };
}

/** Stands before moto and hands every call on to it; what moto does not do is done here. */
export async function startFront(motoUrl: string, doing: Doing): Promise<LocalServer> {
  const exits = new Map<string, number>();
  const gone: string[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const path = request.url ?? '';
    const [, name = '', rest] = /^\/2015-03-31\/functions\/([^/?]+)\/(\w+)/.exec(path) ?? [];
    if (rest === 'invocations') {
      const { endpoint, functionArn } = doing.functionAt(name);
      const there = `/2015-03-31/functions/${encodeURIComponent(functionArn)}/invocations`;
      return respond(response, await pass(endpoint, there, request, body));
    }
    if (rest === 'configuration' && request.method === 'PUT') await doing.functionChanges(name);
    const form = new URLSearchParams(body.toString());
    const stack = form.get('StackName') ?? '';
    if (form.get('Action') === 'DeleteStack') {
      await doing.stackGoes(stack);
      gone.push(`:stack/${stack}/`);
    }
    // Asked for the outputs of a stack that is gone, moto makes anew what they name.
    if (form.get('Action') === 'DescribeStacks' && gone.some((part) => stack.includes(part)))
      return respond(response, deletedStack(stack));
    const operation = String(request.headers['x-amz-target']).split('.').at(-1);
    if (operation === 'GetServiceQuota') return respond(response, ampleQuota());
    const reply = await pass(motoUrl, path, request, body);
    if (operation === 'RunTask' && reply.status === 200) await run(body.toString(), reply.body.toString());
    if (operation === 'DescribeTasks') reply.body = Buffer.from(withExits(reply.body.toString(), exits));
    respond(response, reply);
  };
  const run = async (asked: string, answered: string) => {
    const { taskDefinition, overrides } = JSON.parse(asked) as TaskInput;
    const { tasks } = JSON.parse(answered) as { tasks: { taskArn: string }[] };
    const environment = overrides.containerOverrides.flatMap((container) => container.environment);
    const variables = Object.fromEntries(environment.map(({ name, value }) => [name, value]));
    for (const { taskArn } of tasks) exits.set(taskArn, await doing.runTask(taskDefinition, variables));
  };
  return serveLocally((request, response) => {
    handle(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
}

interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

function pass(to: string, path: string, { method, headers }: IncomingMessage, body: Buffer): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { method, headers: { ...headers, 'content-length': body.byteLength } };
    const passed = send(`${to}${path}`, options, (response) => {
      buffer(response).then(
        (answer) => resolve({ status: response.statusCode ?? 500, headers: response.headers, body: answer }),
        reject,
      );
    });
    passed.on('error', reject).end(body);
  });
}

function respond(response: ServerResponse, { status, headers, body }: Reply): void {
  const { 'transfer-encoding': _, connection: __, ...others } = headers;
  // The answer to HEAD reports the length of what it does not have.
  const length = body.byteLength > 0 ? { 'content-length': String(body.byteLength) } : {};
  response.writeHead(status, { ...others, ...length });
  response.end(body);
}

/** moto knows the quotas of networks alone. */
function ampleQuota(): Reply {
  const body = JSON.stringify({ Quota: { QuotaName: 'an ample quota', Value: 4000 } });
  return { status: 200, headers: { 'content-type': 'application/x-amz-json-1.1' }, body: Buffer.from(body) };
}

function deletedStack(name: string): Reply {
  const { headers = {}, body } = describedStack(name, {}, 'DELETE_COMPLETE');
  return { status: 200, headers, body: Buffer.from(String(body)) };
}

/** moto lets a task run for ever. */
function withExits(answer: string, exits: ReadonlyMap<string, number>): string {
  const described = JSON.parse(answer) as { tasks: { taskArn: string }[] };
  const tasks = described.tasks.map((task) => {
    const exitCode = exits.get(task.taskArn);
    return exitCode === undefined ? task : { ...task, lastStatus: 'STOPPED', containers: [{ exitCode }] };
  });
  return JSON.stringify({ ...described, tasks });
}
