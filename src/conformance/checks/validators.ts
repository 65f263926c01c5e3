// Validators: what a strong ETag stands for does not change (RFC 9110 section 8.8.1), and a part of it is cut from the same octets.
import { createHash } from 'node:crypto';
import { sameJson } from '../../contract/document/json.js';
import type { Representation } from '../ledger/record-ledger.js';
import { findAsked } from '../ledger/shown-records.js';
import { recordAt } from '../resources/resource-under-test.js';
import { followPointer } from '../model/records.js';
import { answered, pointerOf, successBody, isRecord } from './check.js';
import type { Check, CheckContext, CheckFinding } from './check.js';
import { listUnlike } from './record.js';
import { fitsStatus } from './status.js';

export const KEPT_TAG = 'kept-etag';

export const validatorsCheck: Check = {
  id: 'validators',
  title: 'a strong ETag stands for one representation, and a partial response has the octets of the whole',
  comparesAnswers: true,
  run: (context) => [...checkTag(context), ...checkPart(context)],
};

function checkTag(context: CheckContext): CheckFinding[] {
  const read = readTagged(context);
  if (read === undefined) return [];
  const { tag, name, method } = read;
  const known = context.ledger.representations;
  const before = known.get(`${name}\n${tag}`);
  const difference =
    method === 'GET'
      ? before && findDifference(before, describe(context))
      : findChangedField(known.get(`${context.sent.target}\n${tag}`), context);
  if (difference === undefined) return [];
  const expected = 'another ETag than before, since what it stands for has changed (RFC 9110 section 8.8.1)';
  const actual = `${tag}, which had another ${difference}`;
  return [{ rule: KEPT_TAG, at: 'header/etag', expected, actual, ...placeOf(context) }];
}

export function noteRepresentation(context: CheckContext): void {
  const read = readTagged(context);
  const { bytes } = answered(context) ?? {};
  const { representations } = context.ledger;
  if (read?.method !== 'GET' || bytes === undefined || representations.size >= 2000) return;
  const shown = describe(context);
  const isOfAll = context.wire?.target === context.sent.target;
  for (const name of [read.name, ...(isOfAll ? [context.sent.target] : [])])
    if (!representations.has(`${name}\n${read.tag}`)) representations.set(`${name}\n${read.tag}`, shown);
  representations.set(read.name, shown);
}

function readTagged(context: CheckContext): { tag: string; name: string; method: string } | undefined {
  const answer = answered(context);
  const { sent, wire } = context;
  const tag = answer?.headers['etag'];
  if (answer?.status !== 200 || wire === undefined || tag === undefined || !/^"[^"]*"$/.test(tag)) return undefined;
  if (answer.cutOff !== undefined || answer.bytes.length > 64 * 1024) return undefined;
  if (sent.method !== 'GET' && sent.method !== 'PUT' && sent.method !== 'PATCH') return undefined;
  return { tag, name: nameSelection(wire), method: sent.method };
}

/** Conditions and ranges choose no representation (RFC 9110 sections 13 and 14). */
const CHOOSES_NOTHING = /^(?:if-.*|range)$/i;

function nameSelection({ target, headers }: NonNullable<CheckContext['wire']>): string {
  const fields = Object.entries(headers).filter(([name]) => !CHOOSES_NOTHING.test(name));
  const lines = fields.map(([name, value]) => `${name.toLowerCase()}: ${[value].flat().join()}`);
  return [target, ...lines.toSorted()].join('\n');
}

function describe(context: CheckContext): Representation {
  const { bytes = new Uint8Array(), headers = {} } = answered(context) ?? {};
  const { body } = context;
  const digest = createHash('sha256').update(bytes).digest('hex');
  const isForParts = headers['accept-ranges'] === 'bytes' && headers['content-encoding'] === undefined;
  return { digest, value: body.kind === 'json' ? body.value : undefined, ...(isForParts ? { bytes } : {}) };
}

function findDifference(before: Representation, now: Representation): string | undefined {
  if (before.digest === now.digest) return undefined;
  if (before.value === undefined || now.value === undefined) return 'content';
  if (sameJson(before.value, now.value)) return undefined;
  return describeField(listUnlike(before.value, now.value)[0]?.at ?? '');
}

/** Of the response to a change, whose ETag is that of what is there now (RFC 9110 section 8.8), only what both show of the record counts. */
function findChangedField(before: Representation | undefined, context: CheckContext): string | undefined {
  const { subject, role } = findAsked(context.contract, context.sent) ?? {};
  const { get } = subject?.roles ?? {};
  const [own, other] = [role, get].map((each) => (each === undefined ? undefined : recordAt(each)));
  if (before === undefined || own === undefined || other === undefined) return undefined;
  const now = followPointer(successBody(context), own);
  const then = followPointer(before.value, other);
  if (!isRecord(now) || !isRecord(then)) return undefined;
  const name = Object.keys(now).find(
    (each) => then[each] !== undefined && listUnlike(then[each], now[each]).length > 0,
  );
  return name === undefined ? undefined : describeField(`/${name}`);
}

/** RFC 9110 sections 14.4 and 15.3.7: a part says which octets of the whole it has, at most those that were asked for. */
function checkPart(context: CheckContext): CheckFinding[] {
  const answer = answered(context);
  const { wire, ledger, expect } = context;
  const range = String(wire?.headers['Range'] ?? '');
  if (wire === undefined || answer === undefined || !range.startsWith('bytes=')) return [];
  const name = nameSelection(wire);
  const { status, headers, bytes } = answer;
  if (expect.status !== undefined && !fitsStatus(status, expect.status)) return [];
  const tag = headers['etag'];
  const whole = ledger.representations.get(status === 206 && tag !== undefined ? `${name}\n${tag}` : name)?.bytes;
  if (whole === undefined || answer.cutOff !== undefined) return [];
  const { length } = whole;
  const [, start = '', end = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  const from = start === '' ? Math.max(0, length - Number(end)) : Number(start);
  const to = start === '' || end === '' ? length : Math.min(length, Number(end) + 1);
  const asked: [number, number] | undefined = from < to ? [from, to] : undefined;
  const find = (rule: string, at: string, expected: string, actual: string): CheckFinding[] => [
    { rule, at, expected, actual, ...placeOf(context) },
  ];
  const size = `${whole.length} octets`;
  if (status === 416 && asked !== undefined)
    return find('range', 'status', `206 or 200, since ${range} is within the ${size}`, '416');
  if (status !== 206) return [];
  const said = headers['content-range'];
  const [, first, last, total = '*'] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(said ?? '') ?? [];
  const at = 'header/content-range';
  if (asked === undefined) return find('range', 'status', `416 or 200, since ${range} is beyond the ${size}`, '206');
  const expected = `octets of ${asked[0]}-${asked[1] - 1} of ${whole.length}, for ${range}`;
  const isOf = total === '*' || Number(total) === whole.length;
  if (first === undefined || Number(first) < asked[0] || Number(last) >= asked[1] || !isOf)
    return find('range', at, expected, said ?? 'absent');
  const part = whole.subarray(Number(first), Number(last) + 1);
  if (Buffer.from(part).equals(bytes)) return [];
  return find(
    'octets',
    'body',
    `the ${part.length} octets ${first}-${last} of the whole`,
    `${bytes.length} other octets`,
  );
}

function describeField(at: string): string {
  return at === '' ? 'content' : `\`${at.slice(1)}\``;
}

function placeOf(context: CheckContext): Pick<CheckFinding, 'contractPointer' | 'resource'> {
  const { subject } = findAsked(context.contract, context.sent) ?? {};
  return { contractPointer: pointerOf(context), ...(subject === undefined ? {} : { resource: subject.name }) };
}
