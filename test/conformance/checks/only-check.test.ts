import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { packageFile } from '../../../src/package-files.js';
import { checks } from '../../../src/conformance/checks/index.js';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { mutantList, type MutantId } from '../../mutation/mutants/index.js';
import { changeHeaders, changePets, changeReply, isList } from '../../mutation/mutants/planting.js';
import type { Change, Exchange } from '../../mutation/server/behaviour.js';
import { makeFile } from '../../support/folder.js';
import { runPets } from '../support/ask.js';

/** A mutant of the register, or a change of our own, and the scenarios by which its check finds it. */
type Planted = [mutant: MutantId | Change, only: string[], options?: Partial<ConformanceOptions>];

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

/** Says something else in place of the answers to some requests. */
const sending =
  (isIt: (exchange: Exchange) => boolean, answer: (response: ServerResponse) => void): Change =>
  (base) => ({
    send: (reply, exchange, response) => (isIt(exchange) ? answer(response) : base.send(reply, exchange, response)),
  });

const own = { scenarios: [makeFile('own.yaml', OWN)] };
/** The petstore, whose lists ask for no credentials. */
const open = readFileSync(packageFile('spec/petstore.openapi.yaml'), 'utf8').replace(
  /^( +)operationId: listPets$/m,
  '$1operationId: listPets\n$1security: []',
);
const nothing: Change = () => ({});
const LIST = ['pets/lists/limit[2]'];

/** For each check of which no mutant of the register says that it alone finds it, one that it alone finds. */
const planted: Record<string, Planted> = {
  'unasked-credentials': [nothing, LIST, { spec: makeFile('open.yaml', open) }],
  'no-body': [
    sending(
      ({ method }) => method === 'HEAD',
      (response) => void response.writeHead(204, { 'content-length': '2' }).end(),
    ),
    ['pets/service/head'],
  ],
  'key-echo': [
    changeReply(isList, (reply, { server }) => ({ ...reply, headers: { ...reply.headers, 'x-key': server.apiKey } })),
    LIST,
  ],
  'extra-fields': [changePets('listPets', (pet) => ({ ...pet, owner: 'Ann' })), LIST, { strict: true }],
  headers: [nothing, ['own/version'], own],
  'expected-body': ['filter-sold-empty', ['own/some-sold'], own],
  equals: ['get-name-differs', ['own/as-listed'], own],
  validators: [
    changeHeaders(({ status }) => status === 200, { etag: '"1"' }),
    ['pets/records/list', 'pets/sequences/later-listed'],
  ],
  'error-leak': ['errors-of-others', ['pets/refusals/odd-body*', 'pets/refusals/create*']],
};
const ofRegister = mutantList.flatMap(({ foundBy }) => (foundBy.length === 1 ? foundBy : []));

function listDeviating({ scenarios }: RunResult): string[] {
  const exchanges = scenarios.flatMap(({ steps }) => steps).flatMap((step) => step.exchanges);
  const deviations = exchanges.flatMap(({ findings }) => findings).filter(({ severity }) => severity === 'deviation');
  return [...new Set(deviations.map(({ check }) => check))];
}

test('every check has a mutant that it alone finds', () =>
  expect(new Set([...ofRegister, ...Object.keys(planted)])).toEqual(new Set(checks.map(({ id }) => id))));

test.each(Object.entries(planted))('%s alone finds its mutant', async (id, [mutant, only, options]) => {
  const result = await runPets([mutant], { only, concurrency: 1, ...options });
  expect(listDeviating(result)).toEqual([id]);
  expect(result.summary.deviated).toBeGreaterThan(0);
});

test('without these mutants nothing deviates', async () => {
  const sound = Object.values(planted).filter(([mutant]) => mutant !== nothing);
  const result = await runPets([], { only: sound.flatMap(([, only]) => only), strict: true, ...own });
  expect(listDeviating(result)).toEqual([]);
  expect(result.summary).toMatchObject({ inconclusive: 0 });
});
