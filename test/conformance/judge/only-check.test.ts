import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checks } from '../../../src/conformance/judge/index.js';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import type { Change } from '../../mutation/server/behaviour.js';
import { mutants, type MutantId } from '../../mutation/mutants/index.js';
import { answers, changeList, changeReply } from '../../mutation/mutants/planting.js';
import { isObject } from '../../mutation/server/exact-json.js';
import { startWith } from '../../mutation/server/start-server.js';
import { packageFile } from '../../../src/package-files.js';
import { SHOP_KEY, startShop } from '../subjects/shop-server.js';

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
`;

/** For each check a mutant that it alone finds. */
const planted: Record<string, Planted> = {
  answered: {
    mutant: (base) => ({
      send: (reply, exchange, response) =>
        exchange.query.get('limit') === '21' ? void response.destroy() : base.send(reply, exchange, response),
    }),
    only: ['limits/page[21]'],
  },
  'server-error': { mutant: 'get-text-id-500', only: ['gaps/pet-id-not-integer'] },
  status: { mutant: 'wrong-key-403', only: ['authentication/listPets[wrong]'] },
  'content-type': { mutant: 'list-labelled-html', only: ['list/every-time'] },
  json: { mutant: 'body-with-trailing-garbage', only: ['list/every-time'] },
  body: { mutant: 'list-category-missing', only: ['list/every-time'] },
  'error-body': { mutant: '401-without-code', only: ['authentication/listPets[missing]'] },
  'no-body': {
    mutant: (base) => ({
      send: (reply, exchange, response) =>
        exchange.method === 'HEAD'
          ? void response.writeHead(204, { 'content-length': '2' }).end()
          : base.send(reply, exchange, response),
    }),
    only: ['gaps/head'],
  },
  'unique-ids': { mutant: changeList((items) => [...items.slice(0, -1), items[0] ?? null]), only: ['list/every-time'] },
  'stored-once': { mutant: 'create-stores-twice', only: ['create/minimal'] },
  limit: { mutant: 'limit-one-more', only: ['limits/page[3]'] },
  filter: { mutant: 'filter-ignored', only: ['status-filter/only[sold]'] },
  'right-pet': { mutant: 'get-0-returns-first', only: ['get/unknown[zero]'] },
  echo: {
    mutant: (base) => ({
      createPet: (pet, exchange) => base.createPet({ ...pet, categoryId: 77n }, exchange),
    }),
    only: ['create/minimal'],
  },
  'new-id': {
    mutant: changeReply(
      (reply, exchange) => answers('createPet', 201)(reply, exchange) && exchange.body.includes('"conformance"'),
      (reply, { store }) => ({
        ...reply,
        json: isObject(reply.json) ? { ...reply.json, id: store.pets[0]?.id ?? 0n } : undefined,
      }),
    ),
    only: ['gaps/extra-fields'],
  },
  'same-pet': {
    mutant: (base) => {
      const fetched = new Set<unknown>();
      return {
        printPet: (pet, exchange) => {
          const isAgain = exchange.operation === 'getPet' && fetched.has(pet.id);
          if (exchange.operation === 'getPet') fetched.add(pet.id);
          return { ...base.printPet(pet, exchange), ...(isAgain ? { categoryId: 77n } : {}) };
        },
      };
    },
    only: ['transport/lower-case-fields'],
  },
  'key-echo': {
    mutant: (base) => ({
      encode: (reply, exchange) => {
        const encoded = base.encode(reply, exchange);
        return { ...encoded, headers: { ...encoded.headers, 'x-key': exchange.server.apiKey } };
      },
    }),
    only: ['list/every-time'],
  },
  'extra-fields': {
    mutant: (base) => ({ printPet: (pet, exchange) => ({ ...base.printPet(pet, exchange), owner: 'Ann' }) }),
    only: ['list/every-time'],
    options: { strict: true },
  },
  headers: { mutant: () => ({}), only: ['own/version'], options: { scenarios: [writeOwn()] } },
  'expected-body': {
    mutant: (base) => ({
      choosePage: (pets, query, exchange) =>
        query.status !== undefined && !exchange.query.has('limit') ? [] : base.choosePage(pets, query, exchange),
    }),
    only: ['own/some-sold'],
    options: { scenarios: [writeOwn()] },
  },
  equals: { mutant: 'get-name-differs', only: ['get/listed[all]'] },
  contains: { mutant: 'list-misses-created', only: ['create/minimal'] },
  page: { mutant: 'limit-one-less', only: ['limits/page[3]'], options: { strict: true } },
  covers: { mutant: 'filter-sold-empty', only: ['status-filter/all[sold]'] },
  listed: { mutant: 'one-pet-in-no-list', only: ['list/complete'] },
  'left-behind': { mutant: 'refused-body-leaves-a-draft', only: ['create-invalid/leaves-nothing'] },
  'none-refused': {
    mutant: 'refused-body-still-stored',
    only: ['create-invalid/value[a-missing-category]', 'sequences/refused-left-nothing[whole-list]'],
  },
};

/** Of the checks that look at the records of any resource, in a shop of its own. */
const plantedInShop: Record<string, { change: string; only: string[] }> = {
  record: { change: 'get-another', only: ['orders/records/get'] },
  records: { change: 'filter-leaks-gold', only: ['customers/lists/filter-value[tier-gold]'] },
  'own-records': { change: 'key-twice', only: ['orders/records/create', 'orders/records/create-full'] },
};

async function runInShop({ change, only }: { change?: string; only: string[] }): Promise<RunResult> {
  const shop = await startShop(...(change === undefined ? [] : [change]));
  const spec = packageFile('test/conformance/subjects/shop.openapi.yaml');
  try {
    return await runConformance({ target: shop.url, apiKey: SHOP_KEY, spec, only, settleMs: 0, concurrency: 1 });
  } finally {
    await shop.close();
  }
}

function writeOwn(): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-only-check-'));
  writeFileSync(join(folder, 'own.yaml'), OWN);
  return folder;
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

test('every check has a mutant', () => {
  expect(Object.keys({ ...planted, ...plantedInShop }).toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
});

test.each(Object.entries(planted))('%s alone finds its mutant', async (id, example) => {
  const result = await run(example, true);
  expect(listDeviating(result)).toEqual([id]);
  expect(result.summary.deviated).toBeGreaterThan(0);
});

test.each(Object.entries(plantedInShop))('%s alone finds its mutant in a shop', async (id, { change, only }) => {
  expect(listDeviating(await runInShop({ change, only }))).toEqual([id]);
  expect(listDeviating(await runInShop({ only }))).toEqual([]);
});

test.each(Object.entries(planted).filter(([id]) => id !== 'headers'))(
  'without the mutant of %s nothing deviates',
  async (_, example) => {
    const result = await run(example, false);
    expect(listDeviating(result)).toEqual([]);
    expect(result.summary.passed + result.summary.observed).toBeGreaterThan(0);
  },
);
