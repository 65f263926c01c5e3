import { onTestFinished } from 'vitest';
import type { ConformanceOptions } from '../../../src/conformance/model/options.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { mutants, type MutantId } from '../../mutation/mutants/index.js';
import type { Change, Exchange } from '../../mutation/server/behaviour.js';
import { startWith, type MutationServer } from '../../mutation/server/start-server.js';
import { record } from './changes.js';
import { runRunner, type RunnerEnd } from './runner-program.js';

export const KEY = 'Mutation-Key-7f3Qz';
/** Nobody listens on the discard port. */
export const ADDRESS_OF_NOBODY = 'http://127.0.0.1:9/v1';

/** Closes something after the test. */
export function closeLater(close: () => Promise<unknown>): void {
  onTestFinished(async () => void (await close()));
}

/** Starts a mutation server that takes {@link KEY} and notes what it is sent. */
export async function start(...changes: Change[]): Promise<MutationServer & { log: Exchange[] }> {
  const log: Exchange[] = [];
  const server = await startWith([record(log), ...changes], KEY);
  closeLater(() => server.close());
  return Object.assign(Object.create(server) as MutationServer, { log });
}

/** What a run finds in a petstore with these mutants and changes; without waiting, where `options` say nothing else. */
export async function runPets(
  changes: readonly (MutantId | Change)[],
  options: Partial<ConformanceOptions> = {},
): Promise<RunResult> {
  const planted = changes.map((each) =>
    typeof each === 'string' ? mutants[each] : { change: each, needs: undefined },
  );
  const needs = planted.flatMap((mutant) => mutant.needs ?? []);
  const server = await startWith([...needs, ...planted.map(({ change }) => change)], KEY);
  try {
    return await runConformance({ target: server.url, apiKey: KEY, settleMs: 0, ...options });
  } finally {
    await server.close();
  }
}

/** The headlines of its problems. */
export const listTold = ({ problems }: RunResult): string[] => problems.map(({ headline }) => headline);

/** Runs the program against a base URL, with the key. */
export const ask = (url: string, ...args: string[]): Promise<RunnerEnd> =>
  runRunner(['--target', url, ...args], { env: { PETSTORE_API_KEY: KEY } });

/** {@link ask} for the JSON report. */
export async function askForResult(url: string, ...args: string[]): Promise<RunnerEnd & { result: RunResult }> {
  const end = await ask(url, '--report', 'json', ...args);
  return { ...end, result: JSON.parse(end.stdout) as RunResult };
}

/** A scenario file of a team: `mine.yaml`. */
export const OWN_SCENARIO = `scenarios:
  - id: own
    title: our own
    basis: '#/paths/~1pets/get'
    dependsOn: [pets/records/create]
    steps:
      - { id: list, operationId: listPets, parameters: { limit: 7 }, expect: { status: 200 } }
`;
