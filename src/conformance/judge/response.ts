import type { Unanswered, WireAnswer } from '../model/exchange.js';
import { type Check, answered, fromViolation, type CheckContext, type CheckFinding } from './check.js';
import { findContent, isJsonMediaType } from '../../contract/media-types.js';
import type { Content, ResponseRule, Operation } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import { hasNoContent } from '../../contract/validate.js';
import { isRecord, show } from './show.js';
import { sameJson } from '../../contract/document/same-json.js';
import { readProperties, hasMark, listProperties } from '../../contract/operations/properties.js';
import { readValueShape } from '../../contract/operations/value-shape.js';
import { findMarked } from '../../contract/operations/find-marked.js';
import { recordAt } from '../subjects/subject.js';
import { isAlike } from './status.js';
import { followPointer } from '../model/records.js';
import { findAsked } from '../ledger/shown-records.js';
import { cutText } from '../../contract/document/cut-text.js';
import { resolveAt } from '../../contract/document/references.js';
import type { Contract } from '../../contract/contract.js';
import { asObject } from '../../contract/document/plain.js';

/** RFC 9110 section 15.5.14: a server may close the connection if a body is too long for it. */
const LONG_BODY_BYTES = 1024 * 1024;
const NEEDS_ANSWER = 'a target that responds to a body over 1 MiB instead of closing the connection';

export const answeredCheck: Check = {
  id: 'answered',
  title: 'every request gets a complete response in time',
  run({ answer, sent }) {
    const lack = findLack(answer);
    if (lack === undefined || lack.reason === 'interrupted') return [];
    if (lack.reason === 'unavailable') return [{ needs: `a target that is available all the time: ${lack.detail}` }];
    if (lack.reason === 'starved') return [{ needs: `a machine that is less busy: ${lack.detail}` }];
    // The contract limits neither names nor, therefore, the size of pages: an answer that is too long for the run proves nothing about the target.
    if (lack.reason === 'too-large') return [{ needs: `smaller responses: ${lack.detail}` }];
    const wasCut = lack.reason === 'dropped' || lack.reason === 'incomplete';
    if (wasCut && sent.bodyLength > LONG_BODY_BYTES) return [{ needs: NEEDS_ANSWER }];
    // The contract promises nothing for operations that it does not have: a gateway may hang up.
    if (sent.operation === undefined)
      return [
        {
          needs: `a response; instead: ${lack.detail}, which is allowed for a request that the contract does not describe`,
        },
      ];
    return [{ rule: lack.reason, at: 'response', expected: 'a complete HTTP response', actual: lack.detail }];
  },
};

/** Why an answer is not whole: none came, or its body was cut off. */
function findLack(answer: WireAnswer): Pick<Unanswered, 'reason' | 'detail'> | undefined {
  if (answer.kind === 'unanswered') return answer;
  return answer.cutOff === undefined ? undefined : { reason: 'incomplete', detail: answer.cutOff };
}

export const serverErrorCheck: Check = {
  id: 'server-error',
  title: 'no request causes a server error (5xx)',
  run(context) {
    const answer = answered(context);
    if (answer === undefined || answer.status < 500) return [];
    // The contract promises nothing for operations that it does not have: a gateway may answer.
    if (context.sent.operation === undefined) return [];
    return [{ rule: 'no-5xx', at: 'status', expected: 'a status below 500', actual: String(answer.status) }];
  },
};

/** The rule of a failure that was none when the same was sent again: it has no condition that a request could meet. */
export const SERVED_AGAIN = 'served-again';

/** Of a failure that was none when the same was sent again. */
export const servedAgainCheck: Check = {
  ...serverErrorCheck,
  run: (context) => serverErrorCheck.run(context).map((each) => Object.assign(each, { rule: SERVED_AGAIN })),
};

export const unaskedCredentialsCheck: Check = {
  id: 'unasked-credentials',
  title: 'credentials are required only where the contract requires them',
  run(context) {
    const answer = answered(context);
    const { operation } = context.sent;
    if (answer?.withoutCredentials === undefined || operation === undefined) return [];
    return [
      {
        rule: 'unasked-credentials',
        at: 'request/credentials',
        expected: 'a success without credentials, since the contract requires none',
        actual: `${answer.withoutCredentials} without credentials, ${answer.status} with those that were given`,
        contractPointer: operation.pointer,
      },
    ];
  },
};

export const contentTypeCheck: Check = {
  id: 'content-type',
  title: 'a response has a media type of the contract',
  run(context) {
    const answer = answered(context);
    const { operation } = context.sent;
    if (answer === undefined || operation === undefined || answer.bytes.length === 0) return [];
    const rule = findRule(context);
    if (rule === undefined || rule.content.length === 0) return [];
    const header = answer.headers['content-type'];
    const contractPointer = `${rule.pointer}/content`;
    const mediaTypes = rule.content.map(({ mediaType }) => mediaType);
    if (header !== undefined && header !== '' && findContent(rule.content, header) !== undefined) return [];
    return [
      {
        rule: 'media-type',
        at: 'header/content-type',
        expected: mediaTypes.join(' or '),
        actual: header ?? 'absent',
        contractPointer,
      },
    ];
  },
};

function isOfOtherType(header: string | undefined, content: readonly Content[]): boolean {
  return header !== undefined && !isJsonMediaType(header) && findContent(content, header) !== undefined;
}

export const jsonCheck: Check = {
  id: 'json',
  title: 'a body is well-formed JSON in UTF-8, with nothing before or after it',
  run(context) {
    const answer = answered(context);
    const { operation } = context.sent;
    const { body } = context;
    const rule = answer === undefined || operation === undefined ? undefined : findRule(context);
    if (rule?.content.some(({ mediaType }) => isJsonMediaType(mediaType)) !== true) return [];
    // What is labelled as another media type that the contract gives it is none.
    if (answer !== undefined && isOfOtherType(answer.headers['content-type'], rule.content)) return [];
    if (body.kind === 'too-deep') return [{ needs: `a response that is nested at most ${body.deepest} levels deep` }];
    if (!('problem' in body) || body.problem === undefined) return [];
    return [
      {
        rule: 'well-formed',
        at: 'body',
        expected: 'JSON (RFC 8259)',
        actual: body.problem,
        contractPointer: `${rule.pointer}/content`,
      },
    ];
  },
};

export const bodyCheck: Check = {
  id: 'body',
  title: 'a response has the header fields, and a successful one the body, that the contract describes',
  run(context) {
    const answer = answered(context);
    const { operation } = context.sent;
    if (answer === undefined || operation === undefined || context.sent.method === 'HEAD') return [];
    const isError = answer.status >= 400;
    // An error of a status that the contract does not have need not have what another requires.
    const rule = isError ? findResponse(operation, answer.status) : findRule(context);
    if (rule === undefined) return [];
    const inHeaders = context.contract.validate.headers(rule, answer.headers).map(fromViolation);
    return [...inHeaders, ...(isError || hasNoContent(answer.status) ? [] : judgeBody(rule, context))];
  },
};

function judgeBody(rule: ResponseRule, context: CheckContext): CheckFinding[] {
  const { body, contract } = context;
  const [first] = rule.content;
  if (first === undefined) return [];
  const content = findLabelled(rule, context);
  if (body.kind === 'none') {
    return [
      {
        rule: 'present',
        at: 'body',
        expected: `a body of ${(content ?? first).mediaType}`,
        actual: 'no body',
        contractPointer: `${rule.pointer}/content`,
      },
    ];
  }
  if (body.kind !== 'json' || content?.schemaPointer === undefined) return [];
  const judge = (value: unknown): CheckFinding[] =>
    contract.validate.value(content.schemaPointer as string, value).map(fromViolation);
  const broken = judge(body.value);
  const hidden = judgeWriteOnly(content.schemaPointer, context);
  if (broken.length === 0) return hidden;
  return [...(judgeWithin(body.value, broken, judge) ?? broken), ...hidden];
}

/** The rule of a body that is what the contract describes, but for an object around it. */
export const ENVELOPE = 'envelope';

/** What is wrong with a body in an envelope: that, and what is wrong with the body; `undefined` if it is in none. */
function judgeWithin(
  shown: unknown,
  broken: readonly CheckFinding[],
  judge: (value: unknown) => CheckFinding[],
): CheckFinding[] | undefined {
  if (!isRecord(shown)) return undefined;
  const inside = Object.entries(shown).filter(([, value]) => typeof value === 'object' && value !== null);
  const [only] = inside;
  if (only === undefined || inside.length > 1) return undefined;
  const [name, value] = only;
  // What the contract says of something in it, it says of no object of the service's own.
  if (broken.some(({ at }) => `${at}/`.startsWith(`body/${name}/`))) return undefined;
  const found = judge(value);
  // What lacks fields, or is of another type, is something else.
  if (found.some(({ at, rule }) => at === 'body' || (rule === 'required' && at.split('/').length === 2)))
    return undefined;
  const at = `body/${name}`;
  return [
    { rule: ENVELOPE, at, expected: 'no object around what the contract describes', actual: 'one' },
    ...found.map((each) => Object.assign(each, { at: each.at.replace(/^body/, at) })),
  ];
}

export const errorBodyCheck: Check = {
  id: 'error-body',
  title: 'every error has the Error body, whose status repeats the HTTP status',
  run(context) {
    const answer = answered(context);
    const { operation, method } = context.sent;
    if (answer === undefined || operation === undefined || answer.status < 400 || method === 'HEAD') return [];
    const rule = findRule(context);
    const labelled = rule === undefined ? undefined : findLabelled(rule, context);
    const isOpen = labelled === undefined && (rule?.content.length ?? 0) > 1;
    const schema = labelled?.schemaPointer ?? context.contract.errorSchemaPointer;
    if (schema === undefined || isOpen) return [];
    if (context.body.kind === 'none') {
      return [{ rule: 'present', at: 'body', expected: 'the Error body', actual: 'no body', contractPointer: schema }];
    }
    if (context.body.kind !== 'json') return [];
    // A text may quote JSON, and is none for that.
    const mediaType = rule?.content[0]?.mediaType;
    if (mediaType !== undefined && !isJsonMediaType(mediaType) && context.body.problem !== undefined) return [];
    const { value } = context.body;
    const violations = context.contract.validate.value(schema, value);
    const shape = [...violations.map(fromViolation), ...judgeWriteOnly(schema, context)];
    const stated = isRecord(value) ? value['status'] : undefined;
    // What else is wrong with the body says nothing of a status that it has.
    const isToBeRepeated = (violations.length === 0 || isInteger(stated)) && repeatsStatus(schema, context);
    if (!isToBeRepeated || sameJson(stated, answer.status)) return shape;
    return [
      ...shape,
      {
        rule: 'status',
        at: 'body/status',
        expected: `${answer.status}, the HTTP status`,
        value: String(answer.status),
        actual: show(stated),
        contractPointer: schema,
      },
    ];
  },
};

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** In another contract's errors, a status may be something else, or a word. */
function repeatsStatus(schemaPointer: string, { contract: { document } }: CheckContext): boolean {
  const properties = readProperties(document, schemaPointer);
  const status = properties.find(({ name }) => name === 'status');
  const { types } = readValueShape(document, status?.schemaPointer, 0);
  return types.includes('integer') && ['code', 'message'].every((each) => properties.some(({ name }) => name === each));
}

/**
 * What is write only is in no answer, at any depth and of any operation (OpenAPI 3.0.3, Schema Object; JSON Schema
 * Validation 2020-12 section 9.4). The value itself may be a secret, and is not told.
 */
function judgeWriteOnly(schemaPointer: string, context: CheckContext): CheckFinding[] {
  const { body, contract } = context;
  if (body.kind !== 'json') return [];
  const marked = findMarked(contract, schemaPointer, body.value, 'writeOnly');
  return [...marked, ...listUndescribed(context)].map(({ name, at, schemaPointer: contractPointer }) => ({
    rule: `${name} write only`,
    at: `body${at}`,
    expected: 'no value, since the field is write-only',
    actual: 'a value',
    contractPointer,
  }));
}

/** What only the request of a create describes, and marks, is no field of a record that an answer may show. */
function listUndescribed({ answer, body, contract, sent }: CheckContext): ReturnType<typeof findMarked> {
  if (answer.kind === 'unanswered' || !isAlike(answer.status, '2XX') || body.kind !== 'json') return [];
  const { subject, role } = findAsked(contract, sent) ?? {};
  const at = role === undefined ? undefined : recordAt(role);
  if (subject === undefined || at === undefined) return [];
  const secret = subject.fields.filter(
    ({ recordPointer, schemaPointer }) =>
      recordPointer === undefined && hasMark(contract.document, schemaPointer, 'writeOnly'),
  );
  if (secret.length === 0) return [];
  const shown = followPointer(body.value, at);
  const records = Array.isArray(shown) ? shown.map((each: unknown, index) => [`/${index}`, each]) : [['', shown]];
  return records.flatMap(([place, record]) =>
    secret
      .filter(({ name }) => isRecord(record) && record[name] !== undefined && record[name] !== null)
      .map(({ name, schemaPointer }) => ({ name, schemaPointer, at: `${at}${String(place)}/${name}` })),
  );
}

export const noBodyCheck: Check = {
  id: 'no-body',
  title: 'a response has no body where HTTP allows none',
  run(context) {
    const answer = answered(context);
    if (answer === undefined || (answer.status !== 204 && answer.status !== 304)) return [];
    const length = answer.headers['content-length'];
    // RFC 9110 section 8.6: no Content-Length with 204. A 304 may state that of the answer it stands for.
    const announced = answer.status === 204 && length !== undefined && length !== '0';
    if (!announced && answer.headers['transfer-encoding'] === undefined) return [];
    return [
      {
        rule: 'no-content',
        at: 'body',
        expected: `no body with ${answer.status}`,
        actual: length === undefined ? 'Transfer-Encoding' : `Content-Length: ${length}`,
      },
    ];
  },
};

export const keyEchoCheck: Check = {
  id: 'key-echo',
  title: 'no response repeats the API key',
  run(context) {
    const answer = answered(context);
    if (answer === undefined) return [];
    const holdsSecret = (text: string): boolean => context.secrets.some((secret) => text.includes(secret));
    const header = Object.entries(answer.headers).find(([name, value]) => holdsSecret(name) || holdsSecret(value));
    if (header !== undefined)
      return [{ rule: 'header', at: `header/${header[0]}`, expected: 'no API key', actual: 'the API key' }];
    if (!holdsSecret(Buffer.from(answer.bytes).toString('utf8'))) return [];
    return [{ rule: 'body', at: 'body', expected: 'no API key', actual: 'the API key' }];
  },
};

export const extraFieldsCheck: Check = {
  id: 'extra-fields',
  title: 'a response has no fields beyond the contract (a deviation only with --strict)',
  run(context) {
    const known = knownFields(context);
    if (known === undefined || context.body.kind !== 'json') return [];
    const { value } = context.body;
    const collector = collectFields(known, context.strict ? 'deviation' : 'information');
    if (Array.isArray(value)) for (const [index, item] of value.entries()) collector.add(item, `body/${index}`);
    // In place of a list, an object is none of its items.
    else if (!isOfList(context)) collector.add(value, 'body');
    return collector.found;
  },
};

function isOfList({ contract, sent: { operation }, answer }: CheckContext): boolean {
  if (operation === undefined || answer.kind !== 'answered') return false;
  return kindOfBody(contract, operation, [answer.status]) === 'list';
}

/** An answer may have millions of extra fields. So many are reported, each for so many records; the last finding counts the rest. */
const MOST_FIELDS = 100;
const MOST_RECORDS = 3;
const MOST_OF_NAME = 80;

function collectFields(known: ReadonlySet<string>, severity: 'deviation' | 'information') {
  const found: CheckFinding[] = [];
  const toldOf = new Map<string, CheckFinding[]>();
  const add = (record: unknown, at: string): void => {
    if (!isRecord(record)) return;
    for (const field in record) {
      if (known.has(field)) continue;
      const told = toldOf.get(field) ?? [];
      const last =
        told.length === MOST_RECORDS || toldOf.size === MOST_FIELDS ? (told.at(-1) ?? found.at(-1)) : undefined;
      if (last !== undefined) {
        last.more = (last.more ?? 0) + 1;
        continue;
      }
      const name = cutText(field, MOST_OF_NAME);
      const finding = { rule: name, at: `${at}/${name}`, expected: 'absent', actual: show(record[field]), severity };
      found.push(finding);
      toldOf.set(field, [...told, finding]);
    }
  };
  return { found, add };
}

/** The fields that the contract gives the body, or the items of a list. */
export function knownFields(context: CheckContext): Set<string> | undefined {
  const rule = findRule(context);
  const schema = rule === undefined ? undefined : findLabelled(rule, context)?.schemaPointer;
  if (schema === undefined) return undefined;
  const fields = listProperties(context.contract.document, schema);
  return fields.size > 0 ? fields : listItemFields(context, schema);
}

function listItemFields({ contract }: CheckContext, schema: string): Set<string> | undefined {
  const items = `${resolveAt(contract.document, schema).pointer}/items`;
  return contract.document.at(items) === undefined ? undefined : listProperties(contract.document, items);
}

/**
 * What the contract says of an answer. One that comes with a status which the contract does not have is judged as the
 * answer that was expected, where both are successes, or both refusals: its wrong status is told, and the rest of it still says
 * something of the target.
 */
export function findRule(context: CheckContext): ResponseRule | undefined {
  const { answer, expect } = context;
  const { operation } = context.sent;
  if (operation === undefined || answer.kind === 'unanswered') return undefined;
  const own = findResponse(operation, answer.status);
  // Of a status that is right, what the contract says of others says nothing.
  const isRight = [expect.status].flat().includes(answer.status);
  if (own !== undefined || isRight || !isAlike(answer.status, expect.status)) return own;
  const expected = [expect.status].flat().filter((each) => each !== undefined && isAlike(answer.status, each));
  return operation.responses.find(({ status }) => expected.some((each) => String(each) === status));
}

/**
 * What the contract says of the body as it is labelled. A body with another label is judged as the only content, or the only
 * one of JSON; of several it may be any, and only the label is reported.
 */
function findLabelled({ content }: ResponseRule, { answer }: CheckContext): Content | undefined {
  const label = answer.kind === 'answered' ? answer.headers['content-type'] : undefined;
  const found = label === undefined ? undefined : findContent(content, label);
  if (found !== undefined) return found;
  const usual = content.length === 1 ? content : content.filter(({ mediaType }) => isJsonMediaType(mediaType));
  return usual.length === 1 ? usual[0] : undefined;
}

/**
 * What the contract says of the bodies with these statuses: that each is a list, an object or something else that is
 * no list, or that there is none; `undefined` where it says nothing, or now this and now that.
 */
export function kindOfBody(
  contract: Contract,
  operation: Operation,
  statuses: readonly (number | string)[],
): 'list' | 'object' | 'other' | 'none' | undefined {
  const rules = statuses.flatMap((status) => findRules(operation, status));
  const kinds = new Set(rules.map((rule) => kindOf(contract, rule)));
  const [kind] = kinds;
  return kinds.size === 1 && statuses.every((status) => findRules(operation, status).length > 0) ? kind : undefined;
}

function findRules(operation: Operation, status: number | string): ResponseRule[] {
  const text = String(status).toUpperCase();
  if (text.endsWith('XX')) return operation.responses.filter((rule) => rule.status[0] === text[0]);
  return [findResponse(operation, Number(text))].filter((rule) => rule !== undefined);
}

function kindOf({ document }: Contract, { content }: ResponseRule): ReturnType<typeof kindOfBody> {
  const [first] = content;
  if (first === undefined) return 'none';
  if (first.schemaPointer === undefined) return undefined;
  const { type, items, properties, allOf } = asObject(resolveAt(document, first.schemaPointer).value);
  if (type === 'array' || (type === undefined && items !== undefined)) return 'list';
  if (type === 'object' || (type === undefined && properties !== undefined)) return 'object';
  if (typeof type === 'string') return 'other';
  // `allOf` cannot combine parts of a list.
  return type === undefined && Array.isArray(allOf)
    ? kindOfParts(document, first.schemaPointer, allOf.length)
    : undefined;
}

function kindOfParts(document: Contract['document'], at: string, count: number): 'object' | undefined {
  const { pointer } = resolveAt(document, at);
  const parts = Array.from({ length: count }, (_, index) => resolveAt(document, `${pointer}/allOf/${index}`).value);
  return parts.some((part) => asObject(part)['type'] === 'object' || asObject(part)['properties'] !== undefined)
    ? 'object'
    : undefined;
}
