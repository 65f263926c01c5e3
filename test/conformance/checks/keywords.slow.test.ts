import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keywords } from '../../../src/conformance/checks/index.js';
import { runConformance } from '../../../src/conformance/index.js';
import type { ScenarioResult } from '../../../src/conformance/model/result.js';
import { loadScenarios } from '../../../src/conformance/scenarios/load-scenarios.js';
import { printJson } from '../../../src/contract/document/json.js';
import { PetstoreMockError } from '../../../src/errors.js';
import { packageFile } from '../../../src/package-files.js';
import { shippedContract } from '../../support/shipped.js';
import { makeFolder } from '../../support/folder.js';
import type { Expectation } from '../../../src/conformance/model/scenario.js';
import { ANSWERS, KINDS, MARK, rex, SOUND, startPlanted, type PlantedServer } from '../support/keyword-kinds.js';

/** Every place of an expectation that takes a value, each with a sound value in the places beside it. */
const SLOTS: Readonly<Record<string, (value: unknown) => object>> = {
  status: (value) => ({ status: value }),
  headers: (value) => ({ headers: value }),
  'headers.X-Text': (value) => ({ headers: { 'X-Text': value } }),
  body: (value) => ({ body: value }),
  'body.const': (value) => ({ body: { const: value } }),
  equals: (value) => ({ equals: value }),
  record: (value) => ({ record: value }),
  'record.like': (value) => ({ record: { like: value } }),
  'record.except': (value) => ({ record: { like: rex, except: value } }),
  'record.key': (value) => ({ record: { key: value } }),
  'record.notKey': (value) => ({ record: { notKey: value } }),
  records: (value) => ({ records: value }),
  'records.every': (value) => ({ records: { every: value } }),
  'records.every.status': (value) => ({ records: { every: { status: value } } }),
  'records.has': (value) => ({ records: { has: value } }),
  'records.has[0]': (value) => ({ records: { has: [value] } }),
  'records.has[0].key': (value) => ({ records: { has: [{ key: value }] } }),
  'records.has[0].like': (value) => ({ records: { has: [{ key: 1, like: value }] } }),
  'records.lacks': (value) => ({ records: { lacks: value } }),
  'records.lacks[0]': (value) => ({ records: { lacks: [value] } }),
  'records.atMost': (value) => ({ records: { atMost: value } }),
  'records.moreThan': (value) => ({ records: { moreThan: value } }),
  'records.distinct': (value) => ({ records: { distinct: value } }),
};

const REQUESTS: Readonly<Record<string, object>> = {
  list: { operationId: 'listPets', parameters: { limit: 100 } },
  get: { operationId: 'getPet', parameters: { petId: 1 } },
};

/** Those that hold no further keywords, so that a reference may stand there. */
const SLOTS_OF_ONE_VALUE = Object.keys(SLOTS).filter(
  (slot) => !['headers', 'record', 'records', 'records.every', 'records.has', 'records.has[0]'].includes(slot),
);

const refer = (kind: string): string => `$steps.seed.response.body#/${kind}`;

interface Example {
  id: string;
  part: string;
  request: string;
  keyword: string;
  /** One scenario, as JSON, which is YAML. */
  text: string;
}

/** A value of each kind in each place, stated, and taken from an earlier answer. */
function listExamples(): Example[] {
  const stated = Object.entries(KINDS);
  const taken = Object.keys(KINDS).map((kind): [string, unknown] => [`ref ${kind}`, refer(kind)]);
  return ['expect', 'assume'].flatMap((part) =>
    Object.entries(REQUESTS).flatMap(([request, how]) =>
      Object.entries(SLOTS).flatMap(([slot, place]) =>
        [...stated, ...(SLOTS_OF_ONE_VALUE.includes(slot) ? taken : [])].map(([kind, value]) => {
          const id = `${part} ${request} ${slot} ${kind}`.replace(/[^A-Za-z0-9]+/g, '-');
          const said = part === 'assume' ? { ...place(value), otherwise: 'it is not so' } : place(value);
          const seed = { id: 'seed', request: { method: 'GET', path: '/kinds' } };
          const steps = [seed, { id: 'look', ...how, headers: { [MARK]: '1' }, [part]: said }];
          const text = printJson({ id, title: 't', basis: '#/paths/~1pets/get', steps });
          return { id, part, request, keyword: slot.replace(/\..*/, ''), text };
        }),
      ),
    ),
  );
}

const folder = makeFolder();
const examples = listExamples();
const refusals = new Map<string, string>();
/** What each example came to, by the answer that was planted. */
const results = new Map<string, Map<string, ScenarioResult>>();
let server: PlantedServer;

/** Why an example's file is refused; `undefined` when it is not. */
function findRejection({ text }: Example): string | undefined {
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
    const refusal = findRejection(example);
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
  const names = Object.keys(keywords).sort();
  expect(Object.keys(schema.$defs.expectation.properties).sort()).toEqual(names);
  expect(new Set(Object.keys(SLOTS).map((slot) => slot.split('.')[0]))).toEqual(new Set(names));
});

test('whatever is refused is refused with file, line and column', () => {
  expect(refusals.size).toBeGreaterThan(400);
  expect([...refusals].filter(([, message]) => !/single\.yaml:2:\d+: /.test(message))).toEqual([]);
});

/** What no pet has for a key, and more pets than fit into an answer; a key that stands twice is told without being assumed. */
const NEVER_ANSWERED =
  /-record-notKey-(?:ref-)?(?:text|emptyText)$|-records-atMost-(?:ref-)?bigInteger$|^assume-list-records-distinct-truth$/;

/** Whether the check of the keyword found fault with some answer, or could not be satisfied by a sound one. */
function wasNoticed({ id, part, request, keyword }: Example): boolean {
  const seen = results.get(id) ?? new Map<string, ScenarioResult>();
  const sound = [...(SOUND[request] ?? []), ...(keyword === 'status' ? ['not found'] : [])];
  if (sound.some((answer) => seen.get(answer)?.verdict === 'inconclusive')) return true;
  // Which check an assumption failed by is not told; `expect` shows of the same checks that they find fault.
  if (part === 'assume') return false;
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
  const silent = read.filter((example) => !wasNoticed(example)).map(({ id }) => id);
  expect(silent.filter((id) => !NEVER_ANSWERED.test(id))).toEqual([]);
});
