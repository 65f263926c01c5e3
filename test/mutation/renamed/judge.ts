import { onTestFinished } from 'vitest';
import { runConformance, type RunResult } from '../../../src/conformance/index.js';
import { loadContract } from '../../../src/contract/contract.js';
import { startMutationServer, type MutationServerOptions } from '../server/start-server.js';
import { ELSEWHERE, writeRenamed, type RenamedOptions } from './renamed-contract.js';

/** What a run says of a petstore by other names, and what of that is not so. */
export interface RenamedRun {
  result: RunResult;
  headlines: string[];
  /** Pointers that lead nowhere in the document, with what has them. */
  dead: string[];
  /** Requests that are reported, and never came. */
  neverSent: string[];
}

export async function judgeRenamed(names: RenamedOptions, planted: MutationServerOptions = {}): Promise<RenamedRun> {
  const spec = writeRenamed(names);
  const server = await startMutationServer({ ...planted, at: ELSEWHERE });
  onTestFinished(() => server.close());
  const result = await runConformance({ target: server.url, apiKey: server.apiKey, spec, settleMs: 200 });
  const { document } = loadContract(spec);
  const dead = listPlaces(result).filter(({ pointer }) => document.at(pointer) === undefined);
  const arrived = new Set(server.arrived);
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
  return [...new Set(exchanges.map(({ request }) => `${request.method} ${ELSEWHERE.base}${request.path}`))];
}
