/** So short a text nests nowhere deep, and has no more values than the program takes. */
const MAX_CHARACTERS = 2_000;

/**
 * The id of the request if this text is one line with a `server/discover` that the program would surely answer; else
 * null. Written by hand, as the schemas of the SDK take most of the time that the program needs to load. It may refuse
 * more than they do, and nothing that they refuse may pass.
 */
export function probeIdIn(text: string): string | number | null {
  if (text.length > MAX_CHARACTERS || text.indexOf('\n') !== text.length - 1) return null;
  try {
    const message: unknown = JSON.parse(text);
    return isProbe(message) ? message.id : null;
  } catch {
    return null;
  }
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isId: Check = (value) =>
  Number.isSafeInteger(value) || (typeof value === 'string' && /^[ -~]*$/.test(value));
const is =
  (wanted: string): Check =>
  (value) =>
    value === wanted;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const recordOfObjects: Check = (value) => isObject(value) && Object.values(value).every(isObject);

/** An object with all the required members, and no others but the optional ones. */
const object =
  (required: Record<string, Check>, optional: Record<string, Check> = {}): Check =>
  (value) => {
    if (!isObject(value) || !Object.keys(required).every((key) => Object.hasOwn(value, key))) return false;
    const checks = new Map(Object.entries({ ...required, ...optional }));
    return Object.entries(value).every(([key, member]) => checks.get(key)?.(member) ?? false);
  };

const capabilities = object(
  {},
  {
    roots: object({}, { listChanged: isBoolean }),
    sampling: object({}, { context: isObject, tools: isObject }),
    elicitation: object({}, { form: object({}, { applyDefaults: isBoolean }), url: isObject }),
    experimental: recordOfObjects,
    extensions: recordOfObjects,
  },
);

const clientInfo = object(
  { name: isText, version: isText },
  { title: isText, description: isText, websiteUrl: isText },
);

const meta = object(
  {
    'io.modelcontextprotocol/protocolVersion': is('2026-07-28'),
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  },
  { 'io.modelcontextprotocol/clientInfo': clientInfo },
);

const probe = object({
  jsonrpc: is('2.0'),
  id: isId,
  method: is('server/discover'),
  params: object({ _meta: meta }),
});

function isProbe(message: unknown): message is { id: string | number } {
  return probe(message);
}
