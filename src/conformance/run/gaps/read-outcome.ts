import { cutText } from '../../../contract/document/json.js';
import { OTHER } from '../../../contract/gaps/profile.js';
import { isRecord } from '../../judge/shown.js';
import type { CheckContext, Need } from '../../judge/check.js';
import { fitsStatus, isAlike } from '../../judge/status.js';
import { describeMismatch } from '../../judge/match-schema.js';
import type { Outcome } from '../../model/scenario.js';
import { fillTemplate, UnresolvedReference, type Scope } from '../../wire/request/template.js';

/** What an answer shows about a gap: the choice, or what would be needed to tell. */
export interface OutcomeReading {
  choice?: { name: string; evidence: string };
  needs?: Need[];
}

/** The first outcome that fits, or else `other`. */
export function readOutcome(outcomes: readonly Outcome[], context: CheckContext, scope: Scope): OutcomeReading {
  if (context.answer.kind === 'unanswered') return {};
  const { status } = context.answer;
  // A request to come back later, or a breakdown, is not an answer to the question yet.
  if (status === 429 || status >= 500)
    return { needs: [{ needs: 'a response other than 429 or 5xx (--rate sends fewer requests per second)' }] };
  const fitting =
    outcomes.find((outcome) => fits(outcome, context, scope)) ??
    outcomes.find((outcome) => fits(outcome, context, withUsualSuccess(scope, context)));
  if (fitting?.needs !== undefined) {
    return { needs: [{ needs: String(fillTemplate(fitting.needs, scope)) }] };
  }
  const name = fitting?.choice === undefined ? OTHER : String(fillTemplate(fitting.choice, scope));
  return { choice: { name, evidence: describeExchange(fitting, context, scope) } };
}

/** Another check reports a wrong success status; about a gap, it shows the same as the right one. */
function withUsualSuccess(scope: Scope, { sent }: CheckContext): Scope {
  const { response } = scope;
  const usual = sent.operation?.responses.find(({ status }) => isAlike(Number(status), '2XX'));
  if (response === undefined || usual === undefined || !isAlike(response.status, '2XX')) return scope;
  return { ...scope, response: { ...response, status: Number(usual.status) } };
}

function fits(raw: Outcome, context: CheckContext, scope: Scope): boolean {
  const outcome = fill(raw, scope);
  const response = scope.response;
  if (outcome === undefined || response === undefined) return false;
  const { status, headers, body, given } = outcome;
  if (status !== undefined && !fitsStatus(response.status, status)) return false;
  if (body !== undefined && (context.body.kind !== 'json' || !keeps(response.body, body))) return false;
  if (!(given ?? []).every(({ of, is }) => keeps(of, is))) return false;
  return Object.entries(headers ?? {}).every(([name, schema]) =>
    keeps(response.headers[name.toLowerCase()] ?? null, schema),
  );
}

/** An outcome does not fit if it refers to something that this run has not seen. */
function fill(outcome: Outcome, scope: Scope): Outcome | undefined {
  try {
    return fillTemplate(outcome, scope) as Outcome;
  } catch (error) {
    if (error instanceof UnresolvedReference) return undefined;
    throw error;
  }
}

function keeps(value: unknown, schema: unknown): boolean {
  return describeMismatch(schema, value).length === 0;
}

/** `GET /pets?limit=101 → 400 invalid_limit`: nothing in it differs from run to run. */
function describeExchange(outcome: Outcome | undefined, { sent, answer }: CheckContext, scope: Scope): string {
  const { status = 0, body, headers = {} } = scope.response ?? {};
  const names = Object.keys(outcome?.headers ?? {});
  const fields = names.map((name) => `${headers[name.toLowerCase()] === undefined ? 'without' : 'with'} ${name}`);
  const told = answer.kind === 'answered' && sent.method !== 'HEAD' ? [describeBody(body, outcome)] : [];
  return `${sent.method} ${sent.shownAs} → ${[String(status), ...told.filter((text) => text !== ''), ...fields].join(', ')}`;
}

const LONGEST_CODE = 60;

function describeBody(body: unknown, outcome: Outcome | undefined): string {
  if (Array.isArray(body)) return describeList(body, outcome);
  return isRecord(body) && typeof body['code'] === 'string' ? cutText(body['code'], LONGEST_CODE) : '';
}

/** The number of records is mentioned only if the choice depends on it; otherwise it varies from day to day. */
function describeList(list: readonly unknown[], outcome: Outcome | undefined): string {
  if (list.length === 0) return 'an empty list';
  const { minItems, maxItems } = (outcome?.body ?? {}) as { minItems?: unknown; maxItems?: unknown };
  if (minItems === undefined || minItems !== maxItems) return 'a list';
  return `${list.length} ${list.length === 1 ? 'record' : 'records'}`;
}
