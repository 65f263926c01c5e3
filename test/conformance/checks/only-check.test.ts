import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checks } from '../../../src/conformance/checks/index.js';
import type { ConformanceOptions } from '../../../src/conformance/options.js';
import type { RunResult } from '../../../src/conformance/result.js';
import { runConformance } from '../../../src/conformance/run-conformance.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { faults, type FaultId } from '../../mutation/mutants/index.js';
import { answers, changeList, changeReply } from '../../mutation/mutants/planting.js';
import { isObject } from '../../mutation/server/exact-json.js';
import { startWith } from '../../mutation/server/start-server.js';

interface Planted {
  /** A fault of the register, or a change of our own. */
  fault: FaultId | Change;
  only: string[];
  options?: Partial<ConformanceOptions>;
}

const OWN = `scenarios:
  - id: version
    title: a list says which version it has
    basis: section 9
    steps:
      - { id: list, operationId: listPets, expect: { status: 200, headers: { X-Version: { const: '1' } } } }
  - id: some-sold
    title: there are sold animals
    basis: section 4.1
    steps:
      - { id: list, operationId: listPets, parameters: { status: sold }, expect: { status: 200, body: { minItems: 1 } } }
`;

/** For each check a fault that it alone finds. */
const planted: Record<string, Planted> = {
  answered: {
    fault: (base) => ({
      send: (reply, exchange, response) =>
        exchange.query.get('limit') === '33' ? void response.destroy() : base.send(reply, exchange, response),
    }),
    only: ['limits/page[33]'],
  },
  'server-error': { fault: 'get-text-id-500', only: ['open-points/pet-id-not-integer'] },
  status: { fault: 'wrong-key-403', only: ['authentication/listPets[wrong]'] },
  'content-type': { fault: 'list-labelled-html', only: ['list/every-time'] },
  json: { fault: 'body-with-trailing-garbage', only: ['list/every-time'] },
  body: { fault: 'list-category-missing', only: ['list/every-time'] },
  'error-body': { fault: '401-without-code', only: ['authentication/listPets[missing]'] },
  'no-body': {
    fault: (base) => ({
      send: (reply, exchange, response) =>
        exchange.method === 'HEAD'
          ? void response.writeHead(204, { 'content-length': '2' }).end()
          : base.send(reply, exchange, response),
    }),
    only: ['open-points/head'],
  },
  'unique-ids': { fault: changeList((items) => [...items.slice(0, -1), items[0] ?? null]), only: ['list/every-time'] },
  'stored-once': { fault: 'create-stores-twice', only: ['create/minimal'] },
  limit: { fault: 'limit-one-more', only: ['limits/page[3]'] },
  filter: { fault: 'filter-ignored', only: ['status-filter/only[sold]'] },
  'right-animal': { fault: 'get-0-returns-first', only: ['get/unknown[zero]'] },
  echo: {
    fault: (base) => ({
      createAnimal: (animal, exchange) => base.createAnimal({ ...animal, categoryId: 77n }, exchange),
    }),
    only: ['create/minimal'],
  },
  'new-id': {
    fault: changeReply(
      (reply, exchange) => answers('createPet', 201)(reply, exchange) && exchange.body.includes('"conformance"'),
      (reply, { store }) => ({
        ...reply,
        json: isObject(reply.json) ? { ...reply.json, id: store.animals[0]?.id ?? 0n } : undefined,
      }),
    ),
    only: ['open-points/extra-fields'],
  },
  'same-animal': {
    fault: (base) => {
      let fetched = 0;
      return {
        printPet: (animal, exchange) => ({
          ...base.printPet(animal, exchange),
          ...(exchange.operation === 'getPet' && fetched++ > 0 ? { categoryId: 77n } : {}),
        }),
      };
    },
    only: ['open-points/status-omitted'],
  },
  'key-echo': {
    fault: (base) => ({
      encode: (reply, exchange) => {
        const encoded = base.encode(reply, exchange);
        return { ...encoded, headers: { ...encoded.headers, 'x-key': exchange.server.apiKey } };
      },
    }),
    only: ['list/every-time'],
  },
  'extra-fields': {
    fault: (base) => ({ printPet: (animal, exchange) => ({ ...base.printPet(animal, exchange), owner: 'Ann' }) }),
    only: ['list/every-time'],
    options: { strict: true },
  },
  headers: { fault: () => ({}), only: ['own/version'], options: { scenarios: [writeOwn()] } },
  'expected-body': {
    fault: (base) => ({
      choosePage: (animals, query, exchange) =>
        query.status !== undefined && !exchange.query.has('limit') ? [] : base.choosePage(animals, query, exchange),
    }),
    only: ['own/some-sold'],
    options: { scenarios: [writeOwn()] },
  },
  equals: { fault: 'get-name-differs', only: ['get/listed[all]'] },
  contains: { fault: 'list-misses-created', only: ['create/minimal'] },
  page: { fault: 'limit-one-less', only: ['limits/page[3]'], options: { strict: true } },
  covers: { fault: 'filter-sold-empty', only: ['status-filter/all[sold]'] },
  listed: { fault: 'one-animal-in-no-list', only: ['list/complete'] },
  'left-behind': { fault: 'refused-body-leaves-a-draft', only: ['create-invalid/leaves-nothing'] },
  'none-refused': {
    fault: 'refused-body-still-stored',
    only: ['create-invalid/value[a-missing-category]', 'sequences/refused-left-nothing[whole-list]'],
  },
};

function writeOwn(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-only-check-'));
  writeFileSync(join(folder, 'own.yaml'), OWN);
  return folder;
}

async function run({ fault, only, options }: Planted, isPlanted: boolean): Promise<RunResult> {
  const changes = typeof fault === 'string' ? [faults[fault].needs ?? (() => ({})), faults[fault].change] : [fault];
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

test('every check has a fault', () => {
  expect(Object.keys(planted).toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
});

test.each(Object.entries(planted))('%s alone finds its fault', async (id, trial) => {
  const result = await run(trial, true);
  expect(listDeviating(result)).toEqual([id]);
  expect(result.summary.deviated).toBeGreaterThan(0);
});

test.each(Object.entries(planted).filter(([id]) => id !== 'headers'))(
  'without the fault of %s nothing deviates',
  async (_, trial) => {
    const result = await run(trial, false);
    expect(listDeviating(result)).toEqual([]);
    expect(result.summary.passed + result.summary.observed).toBeGreaterThan(0);
  },
);
