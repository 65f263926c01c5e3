import { expect, onTestFinished, test } from 'vitest';
import { runConformance, type RunResult } from '../../../src/conformance/index.js';
import { loadContract } from '../../../src/contract/contract.js';
import { startMutationServer, type MutationServerOptions } from '../server/start-server.js';
import { ELSEWHERE, writeRenamed, type RenamedOptions } from './renamed-contract.js';
import { expectHeadline } from '../../conformance/resources/support/expect-problem.js';

/** What a run says of a petstore by other names, and what of that is not so. */
interface RenamedRun {
  result: RunResult;
  headlines: string[];
  /** Pointers that lead nowhere in the document, with what has them. */
  dead: string[];
  /** Requests that are reported, and never came. */
  neverSent: string[];
}

async function judgeRenamed(names: RenamedOptions, planted: MutationServerOptions = {}): Promise<RenamedRun> {
  const spec = writeRenamed(names);
  const server = await startMutationServer({ ...planted, at: ELSEWHERE });
  onTestFinished(() => server.close());
  const result = await runConformance({ target: server.url, apiKey: server.apiKey, spec, settleMs: 200 });
  const { document } = loadContract(spec);
  const dead = listPlaces(result).filter(({ pointer }) => document.at(pointer) === undefined);
  // By its whole URL, or with an empty query, as clients may write it.
  const arrived = new Set(server.arrived.map((each) => each.replace(/ http:\/\/[^/]+/, ' ').replace(/\?$/, '')));
  return {
    result,
    headlines: result.problems.map(({ headline }) => headline),
    dead: [...new Set(dead.map(({ of, pointer }) => `${of}: ${pointer}`))],
    neverSent: listRequests(result).filter((request) => !arrived.has(request)),
  };
}

/** Every place of the contract that a result names. */
function listPlaces({ scenarios, problems, gaps, coverage }: RunResult): { of: string; pointer: string }[] {
  const findings = scenarios.flatMap(({ steps }) =>
    steps.flatMap(({ exchanges }) => exchanges.flatMap((each) => each.findings)),
  );
  const bases = scenarios.filter(({ basis }) => basis.text.startsWith('#'));
  return [
    ...findings.flatMap(({ check, contract }) =>
      contract === undefined ? [] : { of: check, pointer: contract.pointer },
    ),
    ...problems.flatMap(({ headline, contract }) =>
      contract === undefined ? [] : { of: headline, pointer: contract.pointer },
    ),
    ...bases.map(({ id, basis }) => ({ of: id, pointer: basis.text.slice(1) })),
    ...gaps.map(({ id, contract }) => ({ of: id, pointer: contract.pointer })),
    ...coverage.missing.map(({ id, contract }) => ({ of: id, pointer: contract.pointer })),
  ];
}

function listRequests({ scenarios }: RunResult): string[] {
  const exchanges = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  return [
    ...new Set(exchanges.map(({ request }) => `${request.method} ${ELSEWHERE.base}${request.path.replace(/\?$/, '')}`)),
  ];
}

// The shipped contract with everything renamed that is a name: paths, schemas, responses, the key, its parameter, the base
// path, the title. What `npm test` tries; the file beside this one, which is slow, tries more mutants.

const TRUE = { headlines: [], dead: [], neverSent: [] };

test('a petstore by other names is tried as the shipped one is, and accused of nothing', async () => {
  const run = await judgeRenamed({ operationIds: 'kept' });
  expect(run).toMatchObject(TRUE);
  expect(run.result.summary).toMatchObject({ inconclusive: 0, deviated: 0 });
  expect(run.result.summary.passed).toBeGreaterThan(190);
});

test('with other operationIds, the engine for any contract accuses it of nothing', async () => {
  const run = await judgeRenamed({ operationIds: 'renamed' });
  expect(run).toMatchObject(TRUE);
  expect(run.result.summary).toMatchObject({ inconclusive: 0, deviated: 0 });
});

test('what lists and fetches show of statuses that move by themselves is compared at its own paths', async () => {
  expect(await judgeRenamed({ operationIds: 'kept' }, { variant: 'status-moves-later' })).toMatchObject(TRUE);
});

test.each([
  ['get-id-as-text', /^`id` of a record is text/],
  ['list-status-swapped', /^`status` is not as it was sent in responses of listPets/],
  ['filter-ignored-above-20', /^The filter by `status` of listPets returns records that do not match/],
  ['create-id-repeats', /^One key is given to several records/],
] as const)('%s: what is told of it is in the document, and was sent', async (mutant, headline) => {
  const run = await judgeRenamed({ operationIds: 'kept' }, { mutants: [mutant] });
  expect(run).toMatchObject({ dead: [], neverSent: [] });
  expectHeadline(run.headlines, headline);
});
