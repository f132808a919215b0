import { expect, test } from 'vitest';
import { contractOfCode, type DescribedContract, type Schema } from './described-contract.ts';
import { incompatibilities } from './incompatibilities.ts';

/** The findings after a change of the contract. */
function foundAfter(change: (contract: DescribedContract) => void): string[] {
  const changed = structuredClone(contractOfCode());
  change(changed);
  return incompatibilities(contractOfCode(), changed);
}

function propertiesOf(contract: DescribedContract, name: string, side: 'input' | 'output') {
  return contract.operations[name]?.[side].properties as Record<string, Schema>;
}

function requiredOf(schema: Schema | undefined): string[] {
  return schema?.required as string[];
}

test('the same contract is compatible', () => {
  expect(foundAfter(() => {})).toEqual([]);
});

test('a removed mode, a new required output and a shorter maximum are found', () => {
  const modes = (contract: DescribedContract) => {
    const { mode } = propertiesOf(contract, 'maintain_wiki', 'input');
    (mode as Schema).enum = ['tidy', 'check'];
  };
  expect(foundAfter(modes)).toEqual(['maintain_wiki.input.mode: without "repair"']);
  const output = (contract: DescribedContract) => {
    propertiesOf(contract, 'list_tags', 'output').more = { type: 'integer' };
    requiredOf(contract.operations.list_tags?.output).push('more');
  };
  expect(foundAfter(output)).toEqual(['list_tags.output.more: required']);
  const shorter = (contract: DescribedContract) => {
    (propertiesOf(contract, 'import_wiki', 'input').prefix as Schema).maxLength = 40;
  };
  expect(foundAfter(shorter)).toEqual(['import_wiki.input.prefix: maxLength']);
});

const narrowings: [string, (contract: DescribedContract) => void, string][] = [
  ['a removed operation', ({ operations }) => delete operations.list_tags, 'list_tags: removed'],
  [
    'a write that was a read',
    ({ operations }) => Object.assign(operations.list_tags ?? {}, { effect: 'write' }),
    'list_tags: effect',
  ],
  [
    'a new error code',
    (contract) => Object.assign(contract, { errorCodes: ['busy'] }),
    'error codes: changed',
  ],
  [
    'a removed input field',
    (contract) => delete propertiesOf(contract, 'view_page', 'input').anchor,
    'view_page.input.anchor: removed',
  ],
  [
    'a changed default',
    (contract) =>
      Object.assign(propertiesOf(contract, 'read_page', 'input').mode as Schema, { default: 'outline' }),
    'read_page.input.mode: default',
  ],
  [
    'a new default in a write',
    (contract) =>
      Object.assign(propertiesOf(contract, 'write_page', 'input'), {
        loud: { type: 'boolean', default: false },
      }),
    'write_page.input.loud: new with a default',
  ],
  [
    'a pattern for a field that had none',
    (contract) =>
      Object.assign(propertiesOf(contract, 'view_page', 'input').anchor as Schema, { pattern: '^a' }),
    'view_page.input.anchor: pattern',
  ],
  [
    'a check in code',
    (contract) =>
      Object.assign(propertiesOf(contract, 'view_page', 'input').anchor as Schema, { refined: ['odd'] }),
    'view_page.input.anchor: refined',
  ],
  [
    'an output field that is null now',
    (contract) =>
      Object.assign(propertiesOf(contract, 'list_tags', 'output'), {
        total: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      }),
    'list_tags.output.total: type',
  ],
  [
    'an output field that is gone',
    (contract) => delete propertiesOf(contract, 'wiki_status', 'output').scope,
    'wiki_status.output.scope: no longer sent',
  ],
  [
    'a new field in the envelope that must be there',
    ({ request }) => requiredOf(request).push('key'),
    'request.key: required',
  ],
];

test.each(narrowings)('%s is found', (_, change, finding) => {
  expect(foundAfter(change)).toContain(finding);
});

test('what an older side does not notice is not found', () => {
  const found = foundAfter((contract) => {
    contract.operations.new_operation = {
      effect: 'write',
      input: { type: 'object' },
      output: { type: 'object' },
    };
    propertiesOf(contract, 'write_page', 'input').loud = { type: 'boolean' };
    propertiesOf(contract, 'read_page', 'input').lens = { type: 'boolean', default: true };
    propertiesOf(contract, 'list_tags', 'output').more = { type: 'integer', default: 0 };
    (propertiesOf(contract, 'maintain_wiki', 'input').mode as Schema).enum = [
      'tidy',
      'check',
      'repair',
      'rest',
    ];
  });
  expect(found).toEqual([]);
});
