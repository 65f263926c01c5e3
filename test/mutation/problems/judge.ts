import { runConformance, type Problem, type RunResult } from '../../../src/conformance/index.js';
import { PetstoreMockError } from '../../../src/errors.js';
import { mutants as planted, type MutantId } from '../mutants/index.js';
import { startMutationServer } from '../server/start-server.js';

/** What a run says is wrong with a server in which mutants are planted: nothing where it does not take it for the API. */
export async function listProblems(mutants: readonly MutantId[]): Promise<Problem[]> {
  try {
    return (await judgeMutants(mutants)).result.problems;
  } catch (error) {
    if (error instanceof PetstoreMockError && error.code === 'wrong-target') return [];
    throw error;
  }
}

/** A whole run against a server in which mutants are planted, and whether the server itself failed. */
export async function judgeMutants(
  mutants: readonly MutantId[],
): Promise<{ result: RunResult; crashes: readonly unknown[] }> {
  const server = await startMutationServer({ mutants });
  try {
    const result = await runConformance({
      target: server.url,
      apiKey: server.apiKey,
      settleMs: 200,
      // By the letter a page may be shorter than its limit; a strict run wants it full.
      strict: mutants.some((id) => planted[id].reading === 'full-pages'),
    });
    return { result, crashes: server.crashes };
  } finally {
    await server.close();
  }
}

type Told = Pick<Problem, 'id' | 'headline' | 'cause'>;

/**
 * Whether a problem that a mutant alone is told as is told beside others too: as the same, with the very same cause, or
 * of its field and others at once, which the same answers lack, or in an `also` line.
 */
export function isNamed(alone: Told, problems: readonly Problem[]): boolean {
  const nameCause = ({ cause }: Told): string => JSON.stringify(cause);
  return problems.some(
    (each) =>
      each.id === alone.id ||
      nameCause(each) === nameCause(alone) ||
      lacksAsWell(each, alone) ||
      each.also?.some(({ id }) => id === alone.id) === true,
  );
}

/** Whether one says of several fields, all of the other among them, what that says: that the same answers lack them. */
function lacksAsWell(one: Told, other: Told): boolean {
  const [told, wanted] = [one, other].map(({ headline }) => LACKING.exec(headline)?.groups);
  if (told?.['where'] === undefined || told['where'] !== wanted?.['where']) return false;
  const listFields = ({ fields = '' }: Record<string, string>): string[] => [...(fields.match(/`\w+`/g) ?? [])];
  return listFields(wanted).every((field) => listFields(told).includes(field));
}

const LACKING = /^(?<fields>`.+`) of a record (?:is|are) missing (?<where>in responses of .+)$/;

/** Numbers between 0 and 1, the same for the same seed. */
export function createDraw(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
