import type { SentRequest } from '../model/sent-request.js';
import { limitOf } from '../../contract/gaps/gaps-of-contract.js';
import { findAsked } from '../ledger/shown-records.js';
import { isAlike } from '../judge/status.js';
import { readParameters } from '../../contract/parameters.js';
import type { AnswerBody, WireAnswer, WireRequest, Answered } from '../model/wire.js';
import { listNamed } from '../wire/request/fill-needed.js';
import type { PreparedRequest } from '../wire/request/prepare-request.js';
import { isCreate } from '../subjects/subject.js';
import { readSlashed } from './probe/probe-any.js';
import type { Run } from './run.js';
import { asObject } from '../../contract/document/plain.js';

/** An answer with its parsed body. */
interface Reading {
  answer: WireAnswer;
  body: AnswerBody;
  sentAt: number;
}

/**
 * Notes what became of a request at the target, before anything is read of the answer: a reference that it does not resolve ends a
 * scenario, and what was created is there all the same.
 */
export function noteEffect({ sent }: PreparedRequest, { answer, body, sentAt }: Reading, run: Run): void {
  if (answer.kind === 'unanswered') return;
  const { status, bytes, headers } = answer;
  const value = body.kind === 'json' ? body.value : undefined;
  run.ledger.noteEffect(sent, { status, bytes, value, location: headers['location'], sentAt });
}

/** Makes the run remember what an answer shows. */
export function noteAnswer({ sent, wire }: PreparedRequest, { answer, body, sentAt }: Reading, run: Run): void {
  if (answer.kind === 'unanswered') return;
  const value = body.kind === 'json' ? body.value : undefined;
  const { status, headers } = answer;
  run.observe({ sent, status, headers, body: value, sentAt, answeredAt: performance.now() });
  if (isAlike(status, '2XX') && sent.authorized && sent.operation !== undefined)
    run.ledger.learned.served.add(sent.operation.id);
  noteOtherHosts(sent.operation?.id, { status, headers, value }, run);
  noteSlash(sent, answer, run);
  noteCoverage(sent, wire, { status, value }, run);
  const creates = isCreate(sent.operation, run.contract) ? sent.operation?.id : undefined;
  if (isAlike(status, '2XX') && creates !== undefined) run.countCreated(creates, isAllowed(sent));
  const text = Buffer.from(wire.body ?? []).toString('utf8');
  run.ledger.texts.noteOutcome({ text, creates }, { body: value, status });
}

/** Whether a target that conforms to the contract may create it. */
function isAllowed({ authorized, violations, json }: SentRequest): boolean {
  return authorized && violations.length === 0 && json !== undefined;
}

/** The status of an answer, and its body if that is JSON. */
interface Answer {
  status: number;
  value: unknown;
}

function noteCoverage(sent: SentRequest, { headers }: WireRequest, { status, value }: Answer, run: Run): void {
  const { operation, path, query, json, violations } = sent;
  if (operation === undefined) return;
  const { header } = readParameters(operation, { pathValues: {}, query: '', headers: listNamed(operation, headers) });
  const parameters = { path, query, header };
  // A value was not judged if the request was refused for another reason.
  const judged = Array.isArray(value) ? listUntried(value, sent, run) : [];
  const untried = isAlike(status, '2XX') ? judged : Object.keys(query);
  run.coverage.add({ operation, status, parameters, body: json, violations, untried });
}

/** A page cannot be too long if there are no more records, and an empty one cannot be filtered wrongly. */
function listUntried(list: readonly unknown[], { query, operation }: SentRequest, { ledger, contract }: Run): string[] {
  const { subject } = findAsked(contract, { operation }) ?? {};
  const limit = subject === undefined ? undefined : limitOf(subject.roles)?.name;
  const isOfAll = limit === undefined || Object.keys(query).every((name) => name === limit);
  const shown = subject !== undefined && isOfAll ? ledger.countShown(subject) : 0;
  const most = Math.max(ledger.learned.longest.get(operation?.id ?? '') ?? 0, list.length, shown);
  const isUntried = (name: string, value: unknown): boolean =>
    name === limit ? Number(value) >= most : list.length === 0;
  return Object.entries(query).flatMap(([name, value]) => (isUntried(name, value) ? [name] : []));
}

// What an answer leads to at another host. A run follows none of it: its credentials stay with the target (RFC 9110 section 15.4).

/** Where lists have the address of their next page. */
const AROUND = ['', 'links', '_links', 'paging', 'pagination', 'meta', 'page'];
const NEXT_NAME = /^(?:@odata\.)?next(?:[_-]?(?:page|link|url|uri|href|page[_-]?(?:url|link)))?$/i;
/** RFC 8288 section 3. */
const NEXT_LINK = /<([^<>]*)>(?:\s*;[^,<]*)?;\s*rel="?next\b/i;

const told = new WeakMap<object, Set<string>>();

/** Notes the first answer that leads to each other host, by each way. */
function noteOtherHosts(
  operationId: string | undefined,
  { status, headers, value }: Pick<Answered, 'status' | 'headers'> & { value: unknown },
  run: Pick<Run, 'ledger' | 'host' | 'note'>,
): void {
  const isRedirect = status >= 300 && status < 400;
  const found: [way: string, address: unknown][] = [
    [
      isRedirect ? 'a redirect' : '`Location`',
      isRedirect || status === 201 || status === 202 ? headers['location'] : undefined,
    ],
    ['the `Link` to the next page', NEXT_LINK.exec(headers['link'] ?? '')?.[1]],
    ...listNext(value).map(([name, address]): [string, unknown] => [`\`${name}\``, address]),
  ];
  for (const [way, address] of found) {
    const other = typeof address === 'string' ? findOtherHost(address, run.host) : undefined;
    if (other === undefined) continue;
    const where = `as in a response of ${operationId ?? 'the target'}`;
    noteOnce(`${way} ${other}`, `${way} names another host, ${other}, ${where}: it is not followed`, run);
  }
}

/** Notes that a path is redirected to itself with a slash at the end, or without. */
function noteSlash({ operation, target = '/' }: SentRequest, answer: Answered, run: Run): void {
  if (operation === undefined || readSlashed(answer, `http://${run.host}${target}`) === undefined) return;
  const { path } = operation;
  const to = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  noteOnce(`/ ${path}`, `the target redirects ${path} to ${to}, which the contract does not have`, run);
}

function noteOnce(key: string, text: string, { ledger, note }: Pick<Run, 'ledger' | 'note'>): void {
  const known = told.get(ledger) ?? new Set();
  told.set(ledger, known);
  if (!known.has(key)) note(text, true);
  known.add(key);
}

function listNext(body: unknown): [name: string, address: unknown][] {
  return AROUND.flatMap((above) =>
    Object.entries(asObject(above === '' ? body : asObject(body)[above]))
      .filter(([name]) => NEXT_NAME.test(name))
      .map(([name, address]): [string, unknown] => [
        name,
        typeof address === 'string' ? address : asObject(address)['href'],
      ]),
  );
}

/** The host and port of an address, if they are others than the target's; names of this machine are one. */
function findOtherHost(address: string, host: string): string | undefined {
  const absolute = address.startsWith('//') ? `http:${address}` : address;
  if (!/^https?:\/\//i.test(absolute) || !URL.canParse(absolute)) return undefined;
  const other = new URL(absolute).host;
  return nameMachine(other) === nameMachine(host) ? undefined : other;
}

function nameMachine(host: string): string {
  return host.replace(/^(?:127(?:\.\d+){3}|\[::1\])(?=$|:)/, 'localhost');
}
