import { runConformance, type Problem } from '../../../src/conformance/index.js';
import { mutants as planted, type MutantId } from '../mutants/index.js';
import { startMutationServer } from '../server/start-server.js';

/** What a run says is wrong with a server in which mutants are planted. */
export async function listProblems(mutants: readonly MutantId[]): Promise<Problem[]> {
  const server = await startMutationServer({ mutants });
  try {
    const { problems } = await runConformance({
      target: server.url,
      apiKey: server.apiKey,
      settleMs: 200,
      // By the letter a page may be shorter than its limit; a strict run wants it full.
      strict: mutants.some((id) => planted[id].reading === 'full-pages'),
    });
    return problems;
  } finally {
    await server.close();
  }
}

/** Whether a problem that a mutant alone is told as is told beside others too: as the same, or with the very same cause. */
export function isNamed(alone: Problem, problems: readonly Problem[]): boolean {
  const nameCause = ({ cause }: Problem): string => JSON.stringify(cause);
  return problems.some((each) => each.id === alone.id || nameCause(each) === nameCause(alone));
}

/** Numbers between 0 and 1, the same for the same seed. */
export function createDraw(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
