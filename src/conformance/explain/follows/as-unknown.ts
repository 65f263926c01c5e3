import type { ExchangeResult, ScenarioResult } from '../../model/result.js';

/**
 * The answers that say of a pet that exists what the service says, in place of 404, of an id that no pet has: it does not
 * find the pet. Not so if it says that of every pet.
 */
export function listAsUnknown(scenarios: readonly ScenarioResult[]): ReadonlySet<ExchangeResult> {
  const exchanges = scenarios.flatMap(({ steps }) => steps.flatMap((step) => step.exchanges));
  const fetches = exchanges.filter(({ operationId, request }) => operationId === 'getPet' && request.auth === 'valid');
  const unknown = fetches.filter((each) => each.request.asksUnknown === true && isInPlaceOf404(each)).map(readAnswer);
  const known = fetches.filter(({ request }) => request.asksUnknown !== true && request.breaks === undefined);
  const asUnknown = known.filter((each) => unknown.includes(readAnswer(each)));
  const isServed = known.some((each) => each.response?.status === 200 && !asUnknown.includes(each));
  return new Set(isServed ? asUnknown : []);
}

/** Whether it says that there is no pet: a failure may be about anything, 401 and 429 are not about what was asked for. */
function isInPlaceOf404({ response }: ExchangeResult): boolean {
  if (response === undefined || response.status >= 500 || [401, 404, 429].includes(response.status)) return false;
  return !/"(?:id|name|categoryId)\\?"\s*:/.test(response.body);
}

/** Messages may name the id that was asked for. */
function readAnswer({ response }: ExchangeResult): string {
  return `${response?.status} ${response?.body.replace(/\d+/g, '*')}`;
}
