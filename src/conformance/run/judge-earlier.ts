import { bodyCheck, contentTypeCheck, errorBodyCheck, jsonCheck, servedAgainCheck } from '../checks/response.js';
import type { Check, CheckContext } from '../checks/check.js';
import type { ExchangeResult } from '../model/result.js';
import type { Answered } from '../model/exchange.js';
import type { PreparedRequest } from '../wire/request/prepare-request.js';
import { describeExchange } from './describe-exchange.js';
import { readBody } from '../wire/http/read-body.js';
import type { Run } from './run.js';

/** What came before the answer to go on with. */
interface Earlier {
  /** Requests to come back later (429, 503). */
  putOff: readonly Answered[];
  /** A failure at what was served when it was sent again. */
  failure: Answered | undefined;
}

interface Around {
  context: CheckContext;
  prepared: PreparedRequest;
}

/** A request to come back later is an error like any other, and must have the Error body; so must a failure, which is told. */
export function judgeEarlier({ putOff, failure }: Earlier, around: Around, run: Run): ExchangeResult[] {
  return [
    ...putOff.slice(0, 1).flatMap((each) => judgeOne(each, ERROR_CHECKS, around, run)),
    ...(failure === undefined ? [] : judgeOne(failure, [servedAgainCheck, ...ERROR_CHECKS], around, run)),
  ];
}

const ERROR_CHECKS: readonly Check[] = [contentTypeCheck, jsonCheck, bodyCheck, errorBodyCheck];

function judgeOne(
  answer: Answered,
  checks: readonly Check[],
  { context, prepared }: Around,
  run: Run,
): ExchangeResult[] {
  const seen = { ...context, answer, body: readBody(answer) };
  const kept = run.evidence.limit(checks.map((check) => ({ check: check.id, outcomes: check.run(seen) })));
  const exchange = describeExchange(prepared, answer, { kept, asksFor: undefined, isShared: false }, run);
  return exchange.findings.length === 0 ? [] : [exchange];
}
