import type { Contract } from '../../contract/contract.js';
import type { Handler } from '../world/world.js';
import { createPrismFallback } from './from-prism.js';
import { nameByPath } from './name-by-path.js';
import { createPrismAnswer, findPrism } from './prism.js';
import { createSampledAnswer } from './sampled.js';
import { readWish } from './wish.js';

/** Answers the operations that have no handler of ours. */
export interface Stateless {
  handlers: Record<string, Handler>;
  /** Their ids, in the order of the contract. */
  operationIds: string[];
}

export interface StatelessOptions {
  contract: Contract;
  /** The operations that have a handler. */
  stateful: Readonly<Record<string, Handler>>;
  /** The same request gets the same answer for the same seed. */
  seed: number;
  /** Where the team's document is; Prism may be installed there. */
  specPath: string | undefined;
  /** Whether Prism, where it is installed, is asked for what the mock cannot make. Default: `true`. */
  prism?: boolean | undefined;
}

/** Handlers for all operations without one of ours: they answer from the contract. */
export function createStateless({ contract, stateful, seed, specPath, prism = true }: StatelessOptions): Stateless {
  const operations = contract.operations.filter(({ id }) => !Object.hasOwn(stateful, id));
  const operationIds = operations.map(({ id }) => id);
  // The shipped contract needs none.
  if (operations.length === 0 && specPath === undefined) return { handlers: {}, operationIds };
  const sampled = createSampledAnswer(contract);
  const askPrism = createPrismFallback(contract, () => {
    const load = prism ? findPrism(specPath) : undefined;
    return load === undefined ? undefined : createPrismAnswer(load, contract);
  });
  const handler: Handler = (call) => {
    const wish = readWish(call.request, seed);
    const { answer, isSound, notes } = sampled(call.operation, wish);
    if (notes.length > 0) call.note ??= notes.join('; ');
    return isSound ? answer : (askPrism(call, wish) ?? answer);
  };
  const named: Handler = (call) => nameByPath(handler(call), call);
  // Operations that should keep state fall back on these.
  return { handlers: Object.fromEntries(contract.operations.map(({ id }) => [id, named])), operationIds };
}
