// Checks of a single response by what HTTP and the contract say of it.
import type { Contract } from '../../contract/contract.js';
import { cutText, sameJson, printJson } from '../../contract/document/json.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { findContent, isJsonMediaType } from '../../contract/media-types.js';
import type { Content, Operation, ResponseRule } from '../../contract/model.js';
import {
  findMarked,
  hasMark,
  listProperties,
  readProperties,
  readValueShape,
} from '../../contract/operations/properties.js';
import { findResponse } from '../../contract/operations/operations.js';
import { hasNoContent } from '../../contract/schemas/violation.js';
import { findAsked } from '../ledger/shown-records.js';
import { followPointer, isSuccess } from '../model/exchange.js';
import { recordAt } from '../resources/resource-under-test.js';
import { answered, fromViolation, isPart, pointerOf, isRecord, show } from './check.js';
import type { Check, CheckContext, CheckFinding } from './check.js';
import { isAlike } from './status.js';
import { UNKNOWN_FIELD } from '../resources/invalid-records.js';

/** RFC 9110 section 15.5.14: a server may close the connection if a body is too long for it. */
const LONG_BODY_BYTES = 1024 * 1024;

export const answeredCheck: Check = {
  id: 'answered',
  title: 'every request gets a complete response in time',
  run({ answer, sent }) {
    const isCut = answer.kind === 'answered';
    const reason = isCut ? 'incomplete' : answer.reason;
    const detail = isCut ? answer.cutOff : answer.detail;
    if (detail === undefined || reason === 'interrupted') return [];
    if (reason === 'unavailable') return [{ needs: `a target that is available all the time: ${detail}` }];
    if (reason === 'starved') return [{ needs: `a machine that is less busy: ${detail}` }];
    if (reason === 'too-large') return [{ needs: `smaller responses: ${detail}` }];
    if ((reason === 'dropped' || reason === 'incomplete') && sent.bodyLength > LONG_BODY_BYTES)
      return [{ needs: 'a target that responds to a body over 1 MiB instead of closing the connection' }];
    if (sent.operation === undefined) {
      const why = 'which is allowed for a request that the contract does not describe';
      return [{ needs: `a response; instead: ${detail}, ${why}` }];
    }
    return [{ rule: reason, at: 'response', expected: 'a complete HTTP response', actual: detail }];
  },
};

export const serverErrorCheck: Check = {
  id: 'server-error',
  title: 'no request causes a server error (5xx)',
  run(context) {
    const { status = 0 } = answered(context) ?? {};
    if (status < 500 || context.sent.operation === undefined) return [];
    return [{ rule: 'no-5xx', at: 'status', expected: 'a status below 500', actual: String(status) }];
  },
};

/** The rule of a failure that was none when the same was sent again: it has no condition that a request could meet. */
export const SERVED_AGAIN = 'served-again';

export const servedAgainCheck: Check = {
  ...serverErrorCheck,
  run: (context) => serverErrorCheck.run(context).map((each) => Object.assign(each, { rule: SERVED_AGAIN })),
};

export const unaskedCredentialsCheck: Check = {
  id: 'unasked-credentials',
  title: 'credentials are required only where the contract requires them',
  run(context) {
    const { withoutCredentials, status } = answered(context) ?? {};
    const { operation } = context.sent;
    if (withoutCredentials === undefined || operation === undefined) return [];
    const expected = 'a success without credentials, since the contract requires none';
    const actual = `${withoutCredentials} without credentials, ${status} with those that were given`;
    const finding = { rule: 'unasked-credentials', at: 'request/credentials', expected, actual };
    return [{ ...finding, contractPointer: operation.pointer }];
  },
};

export const contentTypeCheck: Check = {
  id: 'content-type',
  title: 'a response has a media type of the contract',
  run(context) {
    const answer = answered(context);
    const rule = findRule(context);
    if (answer === undefined || answer.bytes.length === 0 || rule === undefined || rule.content.length === 0) return [];
    const header = answer.headers['content-type'];
    if (header !== undefined && header !== '' && findContent(rule.content, header) !== undefined) return [];
    const expected = rule.content.map(({ mediaType }) => mediaType).join(' or ');
    const contractPointer = `${rule.pointer}/content`;
    return [{ rule: 'media-type', at: 'header/content-type', expected, actual: header ?? 'absent', contractPointer }];
  },
};

export const jsonCheck: Check = {
  id: 'json',
  title: 'a body is well-formed JSON in UTF-8, with nothing before or after it',
  run(context) {
    const { body } = context;
    const rule = findRule(context);
    if (isPart(context)) return [];
    if (rule?.content.some(({ mediaType }) => isJsonMediaType(mediaType)) !== true) return [];
    const header = answered(context)?.headers['content-type'];
    if (header !== undefined && !isJsonMediaType(header) && findContent(rule.content, header) !== undefined) return [];
    if (body.kind === 'too-deep') return [{ needs: `a response that is nested at most ${body.deepest} levels deep` }];
    if (!('problem' in body) || body.problem === undefined) return [];
    const contractPointer = `${rule.pointer}/content`;
    return [{ rule: 'well-formed', at: 'body', expected: 'JSON (RFC 8259)', actual: body.problem, contractPointer }];
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
    const rule = isError ? findResponse(operation, answer.status) : findRule(context);
    if (rule === undefined) return [];
    const inHeaders = context.contract.validate.headers(rule, answer.headers).map(fromViolation);
    return [
      ...inHeaders,
      ...(isError || isPart(context) || hasNoContent(answer.status) ? [] : checkBody(rule, context)),
    ];
  },
};

function checkBody(rule: ResponseRule, context: CheckContext): CheckFinding[] {
  const { body, contract } = context;
  const [first] = rule.content;
  if (first === undefined) return [];
  const content = findLabelled(rule, context);
  if (body.kind === 'none') {
    const expected = `a body of ${(content ?? first).mediaType}`;
    const contractPointer = `${rule.pointer}/content`;
    return [{ rule: 'present', at: 'body', expected, actual: 'no body', contractPointer }];
  }
  const { schemaPointer } = content ?? {};
  if (body.kind !== 'json' || schemaPointer === undefined) return [];
  const check = (value: unknown): CheckFinding[] => contract.validate.value(schemaPointer, value).map(fromViolation);
  const broken = check(body.value);
  const found = broken.length === 0 ? [] : (checkWithinEnvelope(body.value, broken, check) ?? broken);
  return [...found, ...checkWriteOnly(schemaPointer, context)];
}

export const ENVELOPE = 'envelope';

/** `{ "data": { "id": 1 } }` in place of `{ "id": 1 }`; `undefined` if the body is in no envelope. */
function checkWithinEnvelope(shown: unknown, broken: CheckFinding[], check: (value: unknown) => CheckFinding[]) {
  if (!isRecord(shown)) return undefined;
  const [only, ...others] = Object.entries(shown).filter(([, value]) => typeof value === 'object' && value !== null);
  if (only === undefined || others.length > 0) return undefined;
  const [name, value] = only;
  const place = `body/${name}`;
  if (broken.some(({ at }) => `${at}/`.startsWith(`${place}/`))) return undefined;
  const found = check(value);
  if (found.some(({ at, rule }) => at === 'body' || (rule === 'required' && at.split('/').length === 2)))
    return undefined;
  return [
    { rule: ENVELOPE, at: place, expected: 'no object around what the contract describes', actual: 'one' },
    ...found.map((each) => Object.assign(each, { at: each.at.replace(/^body/, place) })),
  ];
}

export const errorBodyCheck: Check = {
  id: 'error-body',
  title: 'every error has the Error body, whose status repeats the HTTP status',
  run(context) {
    const { status = 0 } = answered(context) ?? {};
    const { operation, method } = context.sent;
    const { body, contract } = context;
    if (operation === undefined || status < 400 || method === 'HEAD') return [];
    const rule = findRule(context);
    const labelled = rule === undefined ? undefined : findLabelled(rule, context);
    const schema = labelled?.schemaPointer ?? contract.errorSchemaPointer;
    if (schema === undefined || (labelled === undefined && (rule?.content.length ?? 0) > 1)) return [];
    if (body.kind === 'none')
      return [{ rule: 'present', at: 'body', expected: 'the Error body', actual: 'no body', contractPointer: schema }];
    if (body.kind !== 'json') return [];
    const mediaType = rule?.content[0]?.mediaType; // A text may quote JSON, and is none for that.
    if (mediaType !== undefined && !isJsonMediaType(mediaType) && body.problem !== undefined) return [];
    const violations = contract.validate.value(schema, body.value);
    const found = [...violations.map(fromViolation), ...checkWriteOnly(schema, context)];
    const stated = isRecord(body.value) ? body.value['status'] : undefined;
    const isJudgeable = violations.length === 0 || typeof stated === 'bigint' || Number.isInteger(stated);
    if (!isJudgeable || !repeatsStatus(schema, contract) || sameJson(stated, status)) return found;
    const expected = { expected: `${status}, the HTTP status`, value: String(status) };
    const finding = { rule: 'status', at: 'body/status', ...expected, actual: show(stated), contractPointer: schema };
    return [...found, finding];
  },
};

function repeatsStatus(schemaPointer: string, { document }: Contract): boolean {
  const properties = readProperties(document, schemaPointer);
  const status = properties.find(({ name }) => name === 'status');
  const { types } = readValueShape(document, status?.schemaPointer, 0);
  return types.includes('integer') && ['code', 'message'].every((each) => properties.some(({ name }) => name === each));
}

/** OpenAPI 3.0.3, Schema Object; JSON Schema Validation 2020-12 section 9.4. The value may be a secret, and is not reported. */
function checkWriteOnly(schemaPointer: string, context: CheckContext): CheckFinding[] {
  const { body, contract } = context;
  if (body.kind !== 'json') return [];
  const marked = findMarked(contract, schemaPointer, body.value, 'writeOnly');
  return [...marked, ...listUndescribed(context, body.value)].map(({ name, at, schemaPointer: contractPointer }) => {
    const expected = 'no value, since the field is write-only';
    return { rule: `${name} write only`, at: `body${at}`, expected, actual: 'a value', contractPointer };
  });
}

function listUndescribed({ answer, contract, sent }: CheckContext, value: unknown): ReturnType<typeof findMarked> {
  const { subject, role } = findAsked(contract, sent) ?? {};
  const at = role === undefined ? undefined : recordAt(role);
  if (answer.kind === 'unanswered' || !isSuccess(answer.status) || subject === undefined || at === undefined) return [];
  const secret = subject.fields.filter(
    ({ recordPointer, schemaPointer }) =>
      recordPointer === undefined && hasMark(contract.document, schemaPointer, 'writeOnly'),
  );
  if (secret.length === 0) return [];
  const shown = followPointer(value, at);
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
    const { status, headers = {} } = answered(context) ?? {};
    if (status !== 204 && status !== 304) return [];
    const length = headers['content-length'];
    // RFC 9110 section 8.6: no Content-Length with 204. A 304 may state that of the response it stands for.
    const isAnnounced = status === 204 && length !== undefined && length !== '0';
    if (!isAnnounced && headers['transfer-encoding'] === undefined) return [];
    const actual = length === undefined ? 'Transfer-Encoding' : `Content-Length: ${length}`;
    return [{ rule: 'no-content', at: 'body', expected: `no body with ${status}`, actual }];
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

/** A response may have millions of extra fields. So many are reported, each for so many records; the last finding counts the rest. */
const MOST_FIELDS = 100;
const MOST_RECORDS = 3;

export const extraFieldsCheck: Check = {
  id: 'extra-fields',
  title: 'a response has no fields beyond the contract (a deviation only with --strict)',
  run(context) {
    const { answer, body, contract, strict } = context;
    const known = knownFields(context);
    if (known === undefined || body.kind !== 'json') return [];
    const severity: CheckFinding['severity'] = strict ? 'deviation' : 'information';
    const found: CheckFinding[] = [];
    const byField = new Map<string, CheckFinding[]>();
    const collect = (record: unknown, at: string): void => {
      if (!isRecord(record)) return;
      for (const field in record) {
        if (known.has(field)) continue;
        const own = byField.get(field) ?? [];
        const isFull = own.length === MOST_RECORDS || byField.size === MOST_FIELDS;
        const last = isFull ? (own.at(-1) ?? found.at(-1)) : undefined;
        if (last !== undefined) {
          last.more = (last.more ?? 0) + 1;
          continue;
        }
        const name = cutText(field, 80);
        const finding = { rule: name, at: `${at}/${name}`, expected: 'absent', actual: show(record[field]), severity };
        found.push(finding);
        byField.set(field, [...own, finding]);
      }
    };
    const { operation } = context.sent;
    if (Array.isArray(body.value)) body.value.forEach((item, index) => collect(item, `body/${index}`));
    // In place of a list, an object is none of its items.
    else if (
      operation === undefined ||
      answer.kind === 'unanswered' ||
      kindOfBody(contract, operation, [answer.status]) !== 'list'
    )
      collect(body.value, 'body');
    return found;
  },
};

export function knownFields(context: CheckContext): Set<string> | undefined {
  const rule = findRule(context);
  const schema = rule === undefined ? undefined : findLabelled(rule, context)?.schemaPointer;
  if (schema === undefined) return undefined;
  const { document } = context.contract;
  const fields = listProperties(document, schema);
  const items = `${resolveAt(document, schema).pointer}/items`;
  if (fields.size > 0) return fields;
  return document.at(items) === undefined ? undefined : listProperties(document, items);
}

/** The rule of a response. One with an undocumented status is checked as the expected one, if both are successes or both rejections. */
export function findRule({ answer, expect, sent: { operation } }: CheckContext): ResponseRule | undefined {
  if (operation === undefined || answer.kind === 'unanswered') return undefined;
  const own = findResponse(operation, answer.status);
  const statuses = [expect.status ?? []].flat();
  if (own !== undefined || statuses.includes(answer.status)) return own;
  const expected = statuses.filter((each) => isAlike(answer.status, each)).map(String);
  return operation.responses.find(({ status }) => expected.includes(status));
}

function findLabelled({ content }: ResponseRule, context: CheckContext): Content | undefined {
  const label = answered(context)?.headers['content-type'];
  const found = label === undefined ? undefined : findContent(content, label);
  if (found !== undefined) return found;
  const usual = content.length === 1 ? content : content.filter(({ mediaType }) => isJsonMediaType(mediaType));
  return usual.length === 1 ? usual[0] : undefined;
}

export function kindOfBody(contract: Contract, operation: Operation, statuses: readonly (number | string)[]) {
  const rules = statuses.map((status) => {
    const text = String(status).toUpperCase();
    if (text.endsWith('XX')) return operation.responses.filter((rule) => rule.status[0] === text[0]);
    return [findResponse(operation, Number(text))].filter((rule) => rule !== undefined);
  });
  const kinds = new Set(rules.flat().map((rule) => kindOfContent(contract, rule)));
  return kinds.size === 1 && rules.every((found) => found.length > 0) ? [...kinds][0] : undefined;
}

function kindOfContent({ document }: Contract, { content: [first] }: ResponseRule) {
  if (first === undefined) return 'none';
  if (first.schemaPointer === undefined) return undefined;
  const { value, pointer } = resolveAt(document, first.schemaPointer);
  const { type, items, properties, allOf } = asObject(value);
  if (type === 'array' || (type === undefined && items !== undefined)) return 'list';
  if (type === 'object' || (type === undefined && properties !== undefined)) return 'object';
  if (typeof type === 'string') return 'other';
  if (type !== undefined || !Array.isArray(allOf)) return undefined;
  const parts = allOf.map((_, index) => asObject(resolveAt(document, `${pointer}/allOf/${index}`).value));
  return parts.some((part) => part['type'] === 'object' || part['properties'] !== undefined) ? 'object' : undefined;
}

// What one client sent is no matter of another's: services that collect problems in one place keep those of earlier requests.

const { field: OWN_NAME } = UNKNOWN_FIELD;

export const leakCheck: Check = {
  id: 'error-leak',
  title: 'an error says nothing of what another request has sent',
  comparesAnswers: true,
  run(context) {
    const { wire, sent } = context;
    const { status = 0, bytes = new Uint8Array() } = answered(context) ?? {};
    if (wire === undefined || status < 400 || status > 499) return [];
    const own = `${wire.target}\n${Buffer.from(wire.body ?? []).toString('utf8')}\n${printJson(sent.json ?? null)}`;
    if (own.includes(OWN_NAME) || !Buffer.from(bytes).toString('utf8').includes(OWN_NAME)) return [];
    const expected = 'nothing about a member that the request does not have';
    const actual = `\`${OWN_NAME}\`, which an earlier request had`;
    return [{ rule: 'leak', at: 'body', expected, actual, contractPointer: pointerOf({ sent }) }];
  },
};
