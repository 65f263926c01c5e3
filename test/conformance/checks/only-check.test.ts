import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../../src/package-files.js';
import { checks } from '../../../src/conformance/checks/index.js';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { mutants, type MutantId } from '../../mutation/mutants/index.js';
import { changeBody } from '../../mutation/mutants/planting.js';
import { isObject } from '../../mutation/server/exact-json.js';
import { startWith } from '../../mutation/server/start-server.js';
import { makeFolder } from '../../support/folder.js';

interface Planted {
  /** A mutant of the register, or a change of our own. */
  mutant: MutantId | Change;
  only: string[];
  options?: Partial<ConformanceOptions>;
}

const OWN = `scenarios:
  - id: version
    title: a list says which version it has
    basis: '#/paths/~1pets/get'
    steps:
      - { id: list, operationId: listPets, expect: { status: 200, headers: { X-Version: { const: '1' } } } }
  - id: some-sold
    title: there are sold pets
    basis: '#/paths/~1pets/get'
    steps:
      - { id: list, operationId: listPets, parameters: { status: sold }, expect: { status: 200, body: { minItems: 1 } } }
  - id: as-listed
    title: a pet is fetched as a list shows it
    basis: '#/paths/~1pets~1{petId}/get'
    steps:
      - { id: list, operationId: listPets, expect: { status: 200 } }
      - id: fetch
        operationId: getPet
        parameters: { petId: $steps.list.response.body#/0/id }
        expect: { status: 200, equals: $steps.list.response.body#/0 }
`;

/** For each check a mutant that it alone finds. */
const planted: Record<string, Planted> = {
  answered: {
    mutant: (base) => ({
      send: (reply, exchange, response) =>
        exchange.query.get('limit') === '32' ? void response.destroy() : base.send(reply, exchange, response),
    }),
    only: ['pets/lists/limit-further[32]'],
  },
  'server-error': { mutant: 'get-text-id-500', only: ['pets/gaps/malformed-key'] },
  status: { mutant: 'wrong-key-403', only: ['pets/refusals/credentials[list-wrong]'] },
  'unasked-credentials': { mutant: () => ({}), only: ['pets/lists/limit[2]'], options: { spec: writeOpen() } },
  'content-type': { mutant: 'list-labelled-html', only: ['pets/lists/limit[2]'] },
  json: { mutant: 'body-with-trailing-garbage', only: ['pets/lists/limit[2]'] },
  body: { mutant: 'list-category-missing', only: ['pets/lists/limit[2]'] },
  'error-body': { mutant: '401-without-code', only: ['pets/refusals/credentials[list]'] },
  'no-body': {
    mutant: (base) => ({
      send: (reply, exchange, response) =>
        exchange.method === 'HEAD'
          ? void response.writeHead(204, { 'content-length': '2' }).end()
          : base.send(reply, exchange, response),
    }),
    only: ['pets/service/head'],
  },
  'key-echo': {
    mutant: (base) => ({
      encode: (reply, exchange) => {
        const encoded = base.encode(reply, exchange);
        return { ...encoded, headers: { ...encoded.headers, 'x-key': exchange.server.apiKey } };
      },
    }),
    only: ['pets/lists/limit[2]'],
  },
  'extra-fields': {
    mutant: (base) => ({ printPet: (pet, exchange) => ({ ...base.printPet(pet, exchange), owner: 'Ann' }) }),
    only: ['pets/lists/limit[2]'],
    options: { strict: true },
  },
  headers: { mutant: () => ({}), only: ['own/version'], options: { scenarios: [writeOwn()] } },
  'expected-body': { mutant: 'filter-sold-empty', only: ['own/some-sold'], options: { scenarios: [writeOwn()] } },
  equals: { mutant: 'get-name-differs', only: ['own/as-listed'], options: { scenarios: [writeOwn()] } },
  record: { mutant: () => ({ findPet: (_id, { store }) => store.pets[0] }), only: ['pets/records/get'] },
  records: { mutant: 'filter-ignored', only: ['pets/lists/filter-alone[status-sold]'] },
  validators: {
    mutant: (base) => ({
      encode: (reply, exchange) => {
        const encoded = base.encode(reply, exchange);
        return reply.status === 200 ? { ...encoded, headers: { ...encoded.headers, etag: '"1"' } } : encoded;
      },
    }),
    only: ['pets/records/list', 'pets/sequences/later-listed'],
  },
  'error-leak': { mutant: 'errors-of-others', only: ['pets/refusals/odd-body*', 'pets/refusals/create*'] },
  'own-records': {
    mutant: changeBody('createPet', (body) => (isObject(body) ? { ...body, id: 77n } : body)),
    only: ['pets/records/create', 'pets/records/create-full'],
  },
};

/** The petstore, whose lists ask for no credentials. */
function writeOpen(): string {
  const text = readFileSync(packageFile('spec/petstore.openapi.yaml'), 'utf8');
  const open = text.replace(/^( +)operationId: listPets$/m, '$1operationId: listPets\n$1security: []');
  return `${makeFolder({ 'open.yaml': open })}/open.yaml`;
}

function writeOwn(): string {
  return makeFolder({ 'own.yaml': OWN });
}

async function run({ mutant, only, options }: Planted, isPlanted: boolean): Promise<RunResult> {
  const changes =
    typeof mutant === 'string' ? [mutants[mutant].needs ?? (() => ({})), mutants[mutant].change] : [mutant];
  const target = await startWith(isPlanted ? changes : []);
  try {
    const { url, apiKey } = target;
    return await runConformance({ target: url, apiKey, only, settleMs: 0, concurrency: 1, ...options });
  } finally {
    await target.close();
  }
}

function listDeviating({ scenarios }: RunResult): string[] {
  const exchanges = scenarios.flatMap(({ steps }) => steps).flatMap((step) => step.exchanges);
  const deviations = exchanges.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'deviation');
  return [...new Set(deviations.map(({ check }) => check))];
}

test('every check has a mutant', () =>
  expect(Object.keys(planted).toSorted()).toEqual(checks.map(({ id }) => id).toSorted()));

test.each(Object.entries(planted))('%s alone finds its mutant', async (id, example) => {
  const result = await run(example, true);
  expect(listDeviating(result)).toEqual([id]);
  expect(result.summary.deviated).toBeGreaterThan(0);
});

test.each(Object.entries(planted).filter(([id]) => id !== 'headers' && id !== 'unasked-credentials'))(
  'without the mutant of %s nothing deviates',
  async (_, example) => {
    const result = await run(example, false);
    expect(listDeviating(result)).toEqual([]);
    expect(result.summary.passed + result.summary.observed).toBeGreaterThan(0);
  },
);
