import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileKeywords, keywords } from '../../../src/conformance/judge/keywords.js';
import { runConformance } from '../../../src/conformance/index.js';
import type { ScenarioResult } from '../../../src/conformance/model/result.js';
import { loadScenarios } from '../../../src/conformance/language/load-scenarios.js';
import { printJson } from '../../../src/contract/document/json.js';
import { PetstoreMockError } from '../../../src/errors.js';
import { packageFile } from '../../../src/package-files.js';
import { shippedContract } from '../../support/shipped.js';
import { makeFolder } from '../../support/folder.js';
import type { Expectation } from '../../../src/conformance/model/scenario.js';
import { ANSWERS, KINDS, MARK, rex, SOUND, startPlanted, tom, type PlantedServer } from '../support/keyword-kinds.js';

/** Every place of an expectation that takes a value, each with a sound value in the places beside it. */
const SLOTS: Readonly<Record<string, (value: unknown) => object>> = {
  status: (value) => ({ status: value }),
  headers: (value) => ({ headers: value }),
  'headers.X-Text': (value) => ({ headers: { 'X-Text': value } }),
  body: (value) => ({ body: value }),
  'body.const': (value) => ({ body: { const: value } }),
  equals: (value) => ({ equals: value }),
  contains: (value) => ({ contains: value }),
  'contains.pets': (value) => ({ contains: { pets: value } }),
  'contains.pets[0]': (value) => ({ contains: { pets: [value] } }),
  'contains.status': (value) => ({ contains: { pets: [rex], status: value } }),
  page: (value) => ({ page: value }),
  'page.limit': (value) => ({ page: { limit: value, of: [rex] } }),
  'page.of': (value) => ({ page: { limit: 5, of: value } }),
  covers: (value) => ({ covers: value }),
  'covers.all': (value) => ({ covers: { all: value, status: 'sold' } }),
  'covers.status': (value) => ({ covers: { all: [rex], status: value } }),
  listed: (value) => ({ listed: value }),
  'listed.in': (value) => ({ listed: { in: value, limit: 100 } }),
  'listed.limit': (value) => ({ listed: { in: [tom], limit: value } }),
  nothingNew: (value) => ({ nothingNew: value }),
  'nothingNew.since': (value) => ({ nothingNew: { since: value } }),
  every: (value) => ({ every: value }),
  'every.status': (value) => ({ every: { status: value } }),
  noRefusedPets: (value) => ({ noRefusedPets: value }),
};

const REQUESTS: Readonly<Record<string, object>> = {
  list: { operationId: 'listPets', parameters: { limit: 100 } },
  get: { operationId: 'getPet', parameters: { petId: 1 } },
};

/** Those that hold no further keywords, so that a reference may stand there. */
const SLOTS_OF_ONE_VALUE = Object.keys(SLOTS).filter(
  (slot) => !['headers', 'contains', 'page', 'covers', 'listed', 'nothingNew', 'every'].includes(slot),
);

const refer = (kind: string): string => `$steps.seed.response.body#/${kind}`;

interface CheckExamples {
  id: string;
  part: string;
  request: string;
  keyword: string;
  /** One scenario, as JSON, which is YAML. */
  text: string;
}

function listExamples(): CheckExamples[] {
  return ['expect', 'assume'].flatMap((part) =>
    Object.entries(REQUESTS).flatMap(([request, how]) =>
      Object.entries(SLOTS).flatMap(([slot, place]) =>
        listValues(slot).map(([kind, value]) =>
          makeExample({ part, request, how, name: `${slot} ${kind}`, said: place(value) }),
        ),
      ),
    ),
  );
}

/** A value of each kind, stated, and taken from an earlier answer. */
function listValues(slot: string): [name: string, value: unknown][] {
  const stated = Object.entries(KINDS);
  if (!SLOTS_OF_ONE_VALUE.includes(slot)) return stated;
  return [...stated, ...Object.keys(KINDS).map((kind): [string, unknown] => [`ref ${kind}`, refer(kind)])];
}

function makeExample(example: {
  part: string;
  request: string;
  how: object;
  name: string;
  said: object;
}): CheckExamples {
  const id = `${example.part} ${example.request} ${example.name}`.replace(/[^A-Za-z0-9]+/g, '-');
  const said = example.part === 'assume' ? { ...example.said, otherwise: 'it is not so' } : example.said;
  const steps = [
    { id: 'seed', request: { method: 'GET', path: '/kinds' } },
    { id: 'look', ...example.how, headers: { [MARK]: '1' }, [example.part]: said },
  ];
  const keyword = example.name.split(/[ .]/)[0] ?? '';
  const { part, request } = example;
  return { id, part, request, keyword, text: printJson({ id, title: 't', basis: '#/paths/~1pets/get', steps }) };
}

const folder = makeFolder();
const examples = listExamples();
const refusals = new Map<string, string>();
/** What each example came to, by the answer that was planted. */
const results = new Map<string, Map<string, ScenarioResult>>();
let server: PlantedServer;

/** Why an example's file is refused; `undefined` when it is not. */
function findRefusal({ text }: CheckExamples): string | undefined {
  const file = join(folder, 'single.yaml');
  writeFileSync(file, `scenarios:\n  - ${text}\n`);
  try {
    loadScenarios([file], shippedContract);
    return undefined;
  } catch (error) {
    if (!(error instanceof PetstoreMockError)) throw error;
    return error.message;
  }
}

beforeAll(async () => {
  const accepted = examples.filter((example) => {
    const refusal = findRefusal(example);
    if (refusal !== undefined) refusals.set(example.id, refusal);
    return refusal === undefined;
  });
  writeFileSync(join(folder, 'all.yaml'), `scenarios:\n${accepted.map(({ text }) => `  - ${text}\n`).join('')}`);
  server = await startPlanted();
  for (const answer of Object.keys(ANSWERS)) {
    server.plant(answer);
    const { scenarios } = await runConformance({
      target: server.url,
      apiKey: 'Keywords-Test-Key-1',
      scenarios: [join(folder, 'all.yaml')],
      only: ['all/*'],
      settleMs: 0,
      concurrency: 16,
    });
    for (const result of scenarios) {
      const id = result.id.slice('all/'.length);
      results.set(id, (results.get(id) ?? new Map<string, ScenarioResult>()).set(answer, result));
    }
  }
}, 600_000);

afterAll(() => server.close());

test('the schema of scenario files and the checks have the same keywords, each of which is tried', () => {
  const schema = JSON.parse(readFileSync(packageFile('scenarios/scenario.schema.json'), 'utf8')) as {
    $defs: { expectation: { properties: object } };
  };
  const names = Object.keys(fileKeywords).sort();
  expect(Object.keys(schema.$defs.expectation.properties).sort()).toEqual(names);
  expect(new Set(Object.keys(SLOTS).map((slot) => slot.split('.')[0]))).toEqual(new Set(names));
});

test('whatever is refused is refused with file, line and column', () => {
  expect(refusals.size).toBeGreaterThan(400);
  const unplaced = [...refusals].filter(([, message]) => !/single\.yaml:2:\d+: /.test(message));
  expect(unplaced).toEqual([]);
});

/** Whether the check of the keyword found fault with some answer, or could not be satisfied by a sound one. */
function wasNoticed({ id, part, request, keyword }: CheckExamples): boolean {
  const seen = results.get(id) ?? new Map<string, ScenarioResult>();
  const sound = [...(SOUND[request] ?? []), ...(keyword === 'status' ? ['not found'] : [])];
  if (sound.some((answer) => seen.get(answer)?.verdict === 'inconclusive')) return true;
  // Which check an assumption failed by is not told; `expect` shows of the same checks that they find fault.
  if (part === 'assume') return keyword === 'listed' || (keyword === 'nothingNew' && request === 'get');
  const { check } = keywords[keyword as keyof Expectation];
  return [...seen.values()].some(({ steps }) =>
    steps.some(({ exchanges }) =>
      exchanges.some(({ findings }) =>
        findings.some((finding) => finding.check === check.id && (keyword === 'status' || finding.at !== 'status')),
      ),
    ),
  );
}

test('whatever is read can fail: its check finds fault with some answer, or says what it would need', () => {
  const read = examples.filter(({ id }) => results.has(id));
  expect(read.length).toBeGreaterThan(300);
  expect(read.filter((example) => !wasNoticed(example)).map(({ id }) => id)).toEqual([]);
});
