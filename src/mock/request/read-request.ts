import { actOn, type Profile } from '../../contract/gaps/gaps.js';
import type { ApiRequest, Operation, Parameter, Content } from '../../contract/model.js';
import type { Match } from '../../contract/operations/match.js';
import type { World } from '../world/world.js';
import { readIntegerForm } from '../../contract/gaps/gaps-of-contract.js';
import { MAX_JSON_DEPTH, parseJsonBytes } from '../../contract/document/json.js';
import type { ParameterReading, RepeatedPolicy, QueryPair } from '../../contract/parameters.js';
import { readParameters } from '../../contract/parameters.js';
import { profileOf } from '../../contract/gaps/profile.js';
import type { Contract } from '../../contract/contract.js';
import { nameInIds } from '../../contract/resources/resource.js';
import { listKept } from '../store/kept.js';
import { statesBothRejections } from '../../contract/operations/operations.js';
import type { Violation } from '../../contract/schemas/violation.js';
import { bareMediaType, findContent, isJsonMediaType, FORM, MULTIPART } from '../../contract/media-types.js';
import { readParts, type SentPart, findTooDeep, readForm } from '../../contract/forms.js';

const ANSWERS_HEAD: Record<string, boolean> = { answered: true, 'refused-405': false };

export const pathBelowBase = (request: ApiRequest, world: World): string =>
  world.contract.bases.below(request.method, request.path);

export function findOperation(request: ApiRequest, world: World): Match {
  const { bases } = world.contract;
  const { match } = bases.find(request.method, request.path, request);
  if (match.kind !== 'wrong-method' || request.method !== 'HEAD') return match;
  return actOn(world.profile, 'head', ANSWERS_HEAD) ? bases.find('GET', request.path, request).match : match;
}

export function listMethods(allowed: string[], world: World): string {
  const head = allowed.includes('GET') && actOn(world.profile, 'head', ANSWERS_HEAD) ? ['HEAD'] : [];
  return [...allowed, ...head, 'OPTIONS'].join(', ');
}

const REPEATED: Record<string, { refuses: boolean; policy: RepeatedPolicy }> = {
  'refused-400': { refuses: true, policy: 'first' },
  first: { refuses: false, policy: 'first' },
  last: { refuses: false, policy: 'last' },
};
/** Reads path, query and headers; the profile says how to read repeated parameters. */
export function readRawParameters(
  operation: Operation,
  pathValues: Record<string, string>,
  request: ApiRequest,
  { contract, profile }: Pick<World, 'contract' | 'profile'>,
): ParameterReading {
  const repeated = actOn(profile, 'repeated-parameters', REPEATED).policy;
  const raw = { pathValues, query: request.query, headers: request.headers };
  const reading = readParameters(operation, raw, { repeated });
  if (profile.seen !== undefined) {
    const { limit, key } = readParameterRoles(operation, contract);
    const forms = [
      [reading.query, limit, profile.seen['limit-forms']],
      [reading.path, key, profile.seen['pet-id-forms']],
    ] as const;
    for (const [values, name = '', accepted] of forms) {
      const value = values[name];
      if (accepted !== undefined && typeof value === 'string') values[name] = readIntegerForm(value, accepted) ?? value;
    }
  }
  return reading;
}

export function describeUnreadable(reading: ParameterReading, profile: Profile): string | undefined {
  const { badEscapes, tooDeep } = reading;
  if (badEscapes.length + tooDeep.length + reading.repeated.length + reading.unknown.length === 0) return undefined;
  const repeated = actOn(profile, 'repeated-parameters', REPEATED).refuses ? reading.repeated : [];
  const unknown = actOn(profile, 'unknown-parameters', { 'refused-400': true, ignored: false }) ? reading.unknown : [];
  const reasons = [
    ...[...new Set(tooDeep)].map((name) => `query/${name} is nested more than ${MAX_JSON_DEPTH} levels deep`),
    ...badEscapes.map(({ part, name, raw }) => `${part}/${name} has a percent escape that is not UTF-8: ${raw}`),
    ...repeated.map((name) => `query/${name} is there more than once`),
    ...unknown.map((name) => `query/${name} is not a parameter of this operation`),
  ];
  return reasons.length === 0 ? undefined : reasons.join('; ');
}

export function describeNotes(reading: ParameterReading, note: string | undefined): string[] {
  const passedOver = reading.unknown.map((name) => `query/${name} is not in the contract and was ignored`);
  return note === undefined ? passedOver : [...passedOver, note];
}

export function fillDefaults(operation: Operation, reading: ParameterReading): void {
  for (const { in: part, name, schema } of operation.parameters) {
    if (part === 'query' && reading.query[name] === undefined && schema['default'] !== undefined)
      reading.query[name] = schema['default'];
  }
}

export function profileFor(operation: Operation, { contract, profile }: Pick<World, 'contract' | 'profile'>): Profile {
  if (profile.of === undefined) return profile;
  return profileOf(profile, readParameterRoles(operation, contract).resource);
}

interface ParameterRoles {
  limit: string | undefined;
  filters: ReadonlySet<string>;
  key: string | undefined;
  resource: string | undefined;
}

const rolesOf = new WeakMap<Operation, ParameterRoles>();

export function readParameterRoles(operation: Operation, contract: Contract): ParameterRoles {
  const read = rolesOf.get(operation) ?? findRoles(operation, contract);
  rolesOf.set(operation, read);
  return read;
}

function findRoles(operation: Operation, contract: Contract): ParameterRoles {
  for (const kept of listKept(contract)) {
    const role = kept.operations.find((each) => each.operation === operation);
    if (role === undefined) continue;
    const { key } = kept;
    const { paging, filters = [] } = role.list ?? {};
    const equal = filters.filter(({ relation }) => relation === 'equals' || relation === 'contains');
    return {
      limit: paging?.kind === 'page' ? paging.size : paging?.limit,
      filters: new Set(equal.map(({ parameter }) => parameter)),
      key: key?.kind === 'integer' ? key.parameter : undefined,
      resource: key === undefined ? undefined : nameInIds(kept),
    };
  }
  // The parameter at the end of a path identifies the requested thing, even where no state is kept.
  const [, name] = /\{([^{}]+)\}\/?$/.exec(operation.path) ?? [];
  const last = operation.parameters.find((each) => each.in === 'path' && each.name === name);
  const key = last?.schema['type'] === 'integer' ? name : undefined;
  return { limit: undefined, filters: new Set(), key, resource: undefined };
}

interface Situation {
  operation: Operation;
  reading: ParameterReading;
  violation: Violation;
  roles: ParameterRoles;
  name: string;
}

/** A choice's effect on a violation: a status, a change that lets it be served, or none (a later rule decides). */
type Action = number | ((situation: Situation) => void) | 'leave-to-next';
type GapRule = { gap: string; applies: (situation: Situation) => boolean; actions: Readonly<Record<string, Action>> };

const isLimit = ({ violation, roles }: Situation): boolean => violation.at === `query/${roles.limit}`;
const isFilter = ({ violation, roles, name }: Situation): boolean =>
  violation.part === 'query' && violation.rule === 'enum' && roles.filters.has(name);
const isKey = ({ operation, violation, roles }: Situation): boolean =>
  violation.at === `path/${roles.key}` &&
  !operation.responses.some(({ status }) => status === '400' || status === '422');
const sentIn = ({ reading, name }: Situation): unknown => reading.query[name];
const findSchema = ({ operation, name }: Situation): Parameter['schema'] | undefined =>
  operation.parameters.find((parameter) => parameter.name === name)?.schema;

function findOtherCase(situation: Situation): unknown {
  const choices = findSchema(situation)?.['enum'];
  const sent = String(sentIn(situation)).toLowerCase();
  return Array.isArray(choices) ? choices.find((choice) => String(choice).toLowerCase() === sent) : undefined;
}

const rejected = { 'refused-400': 400, 'refused-422': 422 };
const ofLimit = { ...rejected, ignored: ({ reading, name }: Situation) => delete reading.query[name] };
const clampable = {
  ...ofLimit,
  clamped: (situation: Situation) => {
    situation.reading.query[situation.name] = findSchema(situation)?.[situation.violation.rule];
  },
};
const ofFilter = { ...ofLimit, 'empty-list': () => {} };
const ofKey = { ...rejected, 'not-found': 404 };

const GAP_RULES: readonly GapRule[] = [
  { gap: 'empty-limit', applies: (at) => isLimit(at) && sentIn(at) === '', actions: ofLimit },
  { gap: 'limit-not-integer', applies: (at) => isLimit(at) && at.violation.rule === 'type', actions: ofLimit },
  { gap: 'limit-below-minimum', applies: (at) => isLimit(at) && at.violation.rule === 'minimum', actions: clampable },
  { gap: 'limit-above-maximum', applies: (at) => isLimit(at) && at.violation.rule === 'maximum', actions: clampable },
  { gap: 'empty-status-filter', applies: (at) => isFilter(at) && sentIn(at) === '', actions: ofFilter },
  {
    gap: 'status-filter-case',
    applies: (at) => isFilter(at) && findOtherCase(at) !== undefined,
    actions: {
      matched: (at) => (at.reading.query[at.name] = findOtherCase(at)),
      'as-unknown': 'leave-to-next',
    },
  },
  { gap: 'unknown-status-filter', applies: isFilter, actions: ofFilter },
  { gap: 'pet-id-not-integer', applies: (at) => isKey(at) && at.violation.rule === 'type', actions: ofKey },
  { gap: 'pet-id-out-of-range', applies: (at) => isKey(at) && at.violation.rule === 'format', actions: ofKey },
];
const INVALID: Readonly<Record<string, number>> = { 'refused-422': 422, 'refused-400': 400 };

/** The status with which violations are rejected; `undefined` if the profile serves the request anyway, perhaps changed in `reading`. */
export function applyGapRules(
  operation: Operation,
  reading: ParameterReading,
  violations: readonly Violation[],
  { contract, profile }: Pick<World, 'contract' | 'profile'>,
): number | undefined {
  const roles = readParameterRoles(operation, contract);
  const statuses = violations.map((violation) => {
    const situation = { operation, reading, violation, roles, name: violation.pointer.slice(1) };
    for (const { gap, applies, actions } of GAP_RULES) {
      if (!applies(situation)) continue;
      const action = actOn(profile, gap, actions);
      if (action === 'leave-to-next') continue;
      if (typeof action === 'number') return action;
      action(situation);
      return undefined;
    }
    // What breaks a schema is rejected with 400, unless the contract has 422 for it as well.
    return statesBothRejections(operation) ? actOn(profile, 'invalid-status', INVALID) : 400;
  });
  return statuses.find((status) => status !== undefined);
}

export type BodyReading =
  | { kind: 'read'; mediaType: string; value: unknown; parts?: readonly SentPart[] }
  /** A body of a media type that the mock cannot parse, such as XML. */
  | { kind: 'unread'; mediaType: string }
  | { kind: 'none' }
  | { kind: 'rejected'; status: number; message: string };

const MEDIA_TYPE: Record<string, number | undefined> = { 'refused-415': 415, 'refused-400': 400, accepted: undefined };
const MALFORMED: Record<string, number> = { 'refused-400': 400, 'refused-422': 422 };
const TOO_LARGE: Record<string, number> = { 'refused-413': 413, 'refused-400': 400, accepted: 413 };
const MIB = 1024 * 1024;
const LONGEST: Record<string, number> = { 'refused-413': MIB, 'refused-400': MIB, accepted: 16 * MIB };

/** The largest number of bytes of a body that are read. */
export const longestBody = (profile: Profile): number => actOn(profile, 'body-too-large', LONGEST);

/** Reads the body of an operation that has one. In the petstore that is `application/json` (`#/paths/~1pets/post/requestBody`). */
export function readBody(operation: Operation, request: ApiRequest, profile: Profile): BodyReading {
  const rule = operation.requestBody;
  if (rule === undefined) return { kind: 'none' };
  if (request.bodyLongerThan !== undefined) {
    const status = actOn(profile, 'body-too-large', TOO_LARGE);
    return rejectBody(status, `the body is longer than ${request.bodyLongerThan} bytes`);
  }
  if (request.bodyHadNoRoom === true) return rejectBody(503, 'too many long bodies are being sent at once; try again');
  const { 'content-type': header, 'content-encoding': encoding } = request.headers;
  const known = findContent(rule.content, header);
  if (request.body === undefined || request.body.length === 0) {
    // A form without fields has no bytes.
    if (known !== undefined && bareMediaType(header) === FORM)
      return { kind: 'read', mediaType: known.mediaType, value: {} };
    if (!rule.required) return { kind: 'none' };
    return rejectBody(actOn(profile, 'malformed-json', MALFORMED), `${operation.id} needs a body, and none was sent`);
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return rejectBody(415, `the body is sent with Content-Encoding: ${encoding}; send it uncompressed`);
  const assumed = known ?? rule.content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? rule.content[0];
  if (known === undefined) {
    const status = actOn(profile, header === undefined ? 'missing-media-type' : 'wrong-media-type', MEDIA_TYPE);
    const sent = header === undefined ? 'without a Content-Type' : `as ${header}`;
    const expected = rule.content.map((content) => content.mediaType).join(' or ');
    if (status !== undefined) return rejectBody(status, `the body is sent ${sent}; send Content-Type: ${expected}`);
  }
  return parseBody(request.body, assumed, known === undefined ? undefined : header, profile);
}

function parseBody(
  body: Uint8Array,
  content: Content | undefined,
  sentAs: string | undefined,
  profile: Profile,
): BodyReading {
  const mediaType = content?.mediaType ?? '';
  const types = content?.shape.types ?? [];
  const format = bareMediaType(sentAs ?? mediaType);
  const malformed = (problem: string): BodyReading =>
    rejectBody(actOn(profile, 'malformed-json', MALFORMED), `body: ${problem}`);
  const text = (): string => Buffer.from(body).toString('utf8');
  const asText = (): BodyReading => ({ kind: 'read', mediaType, value: text() });
  if (content?.itemPointer !== undefined) return asText();
  if (format === FORM) {
    const isPlain = types.includes('string') && !types.includes('object');
    return isPlain ? asText() : readPairs(splitForm(text()), content, profile);
  }
  if (format.startsWith('multipart/') && sentAs !== undefined) {
    const reading = readParts(body, sentAs, content);
    if (!reading.ok) return malformed(reading.problem);
    if (format !== MULTIPART) return { kind: 'unread', mediaType };
    const read = readPairs(reading.parts, content, profile);
    return read.kind === 'read' ? { ...read, parts: reading.parts } : read;
  }
  if (format !== '' && !/^(?:application|\*)\/\*$/.test(format) && !isJsonMediaType(format)) {
    // A text such as XML may represent an object, which the mock cannot parse.
    const canBeText = types.length === 0 || types.includes('string');
    return format.startsWith('text/') && canBeText ? asText() : { kind: 'unread', mediaType };
  }
  const parsed = parseJsonBytes(body);
  return parsed.ok ? { kind: 'read', mediaType, value: parsed.value } : malformed(parsed.problem.message);
}

function readPairs(pairs: readonly QueryPair[], content: Content | undefined, profile: Profile): BodyReading {
  const tooDeep = findTooDeep(pairs, content);
  if (tooDeep === undefined)
    return { kind: 'read', mediaType: content?.mediaType ?? '', value: readForm(pairs, content) };
  const message = `body/${tooDeep} is nested more than ${MAX_JSON_DEPTH} levels deep`;
  return rejectBody(actOn(profile, 'malformed-json', MALFORMED), message);
}

/** A body without the bytes of its files, which no JSON can show. */
export function leaveOutFiles({ value, parts = [] }: BodyReading & { kind: 'read' }): unknown {
  const files = new Set(parts.filter(({ isFile, isJson }) => isFile && isJson !== true).map(({ name }) => name));
  if (files.size === 0) return value;
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => !files.has(name)));
}

const rejectBody = (status: number, message: string): BodyReading => ({ kind: 'rejected', status, message });

function splitForm(text: string): QueryPair[] {
  const raws = text.split('&').filter((part) => part !== '');
  return Array.from(new URLSearchParams(`?${text}`), ([name, value], index) => {
    const raw = (raws[index] ?? '').replace(/^[^=]*=?/, '').replaceAll('+', '%20');
    return raw === value ? { name, value } : { name, value, raw };
  });
}
