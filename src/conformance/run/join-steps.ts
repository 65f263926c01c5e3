import type { ExchangeResult, StepResult } from '../model/result.js';

/** The steps of several goes at one scenario, each once, with these exchanges. */
export function joinSteps(
  steps: readonly StepResult[],
  exchangesOf: (id: string) => readonly ExchangeResult[],
): StepResult[] {
  const firsts = new Map<string, StepResult>();
  for (const step of steps) if (!firsts.has(step.id)) firsts.set(step.id, step);
  return Array.from(firsts.values(), (step) => Object.assign({}, step, { exchanges: [...exchangesOf(step.id)] }));
}
