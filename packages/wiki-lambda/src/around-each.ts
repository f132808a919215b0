import { type Call, type OperationName, operationNames, type Wiki } from '@pagetree/wiki/contract';

/** The same wiki, each call made by `around`, which is given the operation and what runs it. */
export function aroundEach(
  wiki: () => Promise<Wiki>,
  around: (operation: OperationName, run: () => Promise<unknown>) => Promise<unknown>,
): Wiki {
  const methods = operationNames.map((name) => [
    name,
    (input: unknown, call: Call) =>
      around(name, async () => {
        const method = (await wiki())[name] as (input: unknown, call: Call) => Promise<unknown>;
        return method(input, call);
      }),
  ]);
  return Object.fromEntries(methods) as Wiki;
}
