// Warnings: what the contract does not rule out, and hardly anyone intends, as far as responses show it by themselves.
import type { ExchangeResult, ScenarioResult } from '../model/result.js';

const SLOW_MS = 1000;
const SLOW_TIMES = 20;

/** 417 merely says that the response chain does not support expectations (RFC 9110 section 10.1.1); curl waits for such a server. */
const EXPECTATION_FAILED = 417;

/**
 * A sentence for each record that was accepted though it is no JSON, for each response that took long for one number, and
 * for each 417 to a client that waits until its body is asked for.
 *
 * @example `warning: createPet accepts a pet with a comment; RFC 8259 section 9 lets a parser read it`
 */
export function listWarnings(results: readonly ScenarioResult[]): string[] {
  const all = results.flatMap(listExchanges);
  return results.flatMap((result) => {
    const what = result.title.replace(/ gets a documented response.*$/, '');
    const exchanges = listExchanges(result).filter(({ request: { method } }) => method !== 'DELETE');
    if (result.about?.scenario === 'sequences/lenient-json')
      return exchanges.flatMap((each) => describeLenient(each, what));
    if (result.about?.scenario === 'sequences/costly-number')
      return exchanges.flatMap((each) => describeSlow(each, what, findUsual(each, all)));
    const unmet = exchanges.find(({ response }) => response?.status === EXPECTATION_FAILED);
    return unmet === undefined
      ? []
      : [`warning: ${unmet.operationId} returns 417 to Expect: 100-continue, which curl sends with long bodies`];
  });
}

function listExchanges({ steps }: ScenarioResult): ExchangeResult[] {
  return steps.flatMap(({ exchanges }) => exchanges);
}

function describeLenient({ operationId, response }: ExchangeResult, what: string): string[] {
  const isTaken = response !== undefined && response.status < 300;
  return isTaken ? [`warning: ${operationId} accepts ${what}; RFC 8259 section 9 lets a parser read it`] : [];
}

function describeSlow({ operationId, durationMs }: ExchangeResult, what: string, usual: number | undefined): string[] {
  if (usual === undefined || durationMs < SLOW_MS || durationMs < SLOW_TIMES * usual) return [];
  const [long, short] = [durationMs, usual].map((each) => `${Math.round(each)} ms`);
  return [`warning: ${operationId} takes ${long} for ${what}, and ${short} otherwise`];
}

function findUsual(costly: ExchangeResult, all: readonly ExchangeResult[]): number | undefined {
  const like = all.filter((each) => each !== costly && each.operationId === costly.operationId);
  return like.map(({ durationMs }) => durationMs).toSorted((one, other) => one - other)[Math.floor(like.length / 2)];
}
