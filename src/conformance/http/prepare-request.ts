import { bareMediaType, isJsonMediaType, FORM, MULTIPART, formOf } from '../../contract/media-types.js';
import type { Contract } from '../../contract/contract.js';
import type { Operation, Security, Parameter } from '../../contract/model.js';
import { listMediaTypes, isTagName, showsTag, isRepeatKey } from '../../contract/operations/operations.js';
import { writeWholeQuery, writeForm } from '../../contract/forms.js';
import { readParameters, separatorOf } from '../../contract/parameters.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { IN_CHUNKS, TRAILER, Literal, followPointer } from '../model/exchange.js';
import type { SentRequest, ShownInRequest, WireRequest } from '../model/exchange.js';
import type { AuthForm, Step, StepBody } from '../model/scenario.js';
import { fillTemplate, UnresolvedReference, type Scope } from './template.js';
import { writeJson } from './write-json.js';
import {
  isGiven,
  isShowable,
  securityOf,
  listAny,
  keysOf,
  Unsendable,
  findNoUse,
  listShownNames,
  presentKeys,
} from './request-credentials.js';
import type { RunKeys, ShownKeys } from './request-credentials.js';
import { asObject, asList } from '../../contract/document/plain.js';
import { parseJson, printJson, isJsonNumber } from '../../contract/document/json.js';
import { randomInt } from 'node:crypto';
import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { mergeSchemas } from '../../contract/schemas/merged-schema.js';

export interface PrepareOptions {
  contract: Contract;
  basePath: string;
  keys: RunKeys;
  extraHeaders: Readonly<Record<string, string>>;
  userAgent: string;
  parameters: GivenParameters;
}

export interface PreparedRequest {
  wire: WireRequest;
  sent: SentRequest;
  auth: AuthForm;
  credentials?: ShownKeys['credentials'];
}

/** Throws `UnresolvedReference` without what an earlier step finds, `Unsendable` if the contract does not allow that. */
export function prepareRequest(asked: Step, scope: Scope, options: PrepareOptions): PreparedRequest {
  const operation = options.contract.operations.find(({ id }) => id === asked.operationId);
  const step = operation === undefined ? asked : fillNeeded(asked, operation, options);
  const method = operation?.method ?? step.request?.method ?? 'GET';
  const path = fillPath(operation, step, scope);
  const query = fillQuery(operation, step, scope);
  const body = fillBody(step.requestBody, operation, scope, options.contract);
  const keys = operation === undefined ? options.keys : keysOf(step, operation, options.keys);
  const stated = securityOf(operation, options.contract, keys);
  const security = chooseSecurity(step, operation, stated, keys);
  const shown = presentKeys(step.auth, security, keys);
  const wholeQuery = [query, shown.query].filter((part) => part !== '').join('&');
  const place = `${baseOf(operation ?? findAt(method, path, options), options)}${path}`;
  const headers = fillHeaders(step, body, scope, { operation, options, shown });
  const read = readBack(options.contract, operation, { path, query, headers, body });
  const isOfTemplate = Object.keys(read.path).length > 0 && read.validParameters;
  const shownPath = operation !== undefined && isOfTemplate ? operation.path : showPath(operation, step, scope);
  const sent: SentRequest = {
    method,
    shownAs: `${shownPath}${query === '' ? '' : `?${query}`}`,
    target: place,
    operation,
    lacks: step.lacks,
    authorized: step.auth === 'valid' || step.auth === 'lowerCaseField',
    ...(security.flat().length > 0 && operation?.security.flat().length === 0 ? { showsUnasked: true } : {}),
    bodyLength: body?.bytes.length ?? 0,
    json: body?.json,
    ...read,
  };
  checkKeys(step, sent);
  // Within the first character that takes more than one byte, or else in the middle.
  const cut = body?.bytes.findIndex((byte) => byte >= 0xc0) ?? -1;
  const middle = Math.floor((body?.bytes.length ?? 0) / 2);
  return {
    wire: {
      method,
      ...writeHead({ place, query: wholeQuery, headers }, step),
      body: body?.bytes,
      ...describeShownKeys({ place, query, headers, shown }, { step, security, keys }, operation, options.contract),
      ...(step.requestBody?.cut === undefined || body === undefined ? {} : { cutAt: cut === -1 ? middle : cut + 1 }),
      ...(step.form === undefined ? {} : { form: step.form }),
      ...(isToBeRefused(sent) ? { repeatable: true } : {}),
    },
    sent,
    auth: step.auth,
    ...(shown.credentials === undefined ? {} : { credentials: shown.credentials }),
  };
}

type ShownParts = Pick<WireRequest, 'headers'> & { place: string; query: string; shown: ShownKeys };
type ShowOptions = { step: Step; security: Security; keys: RunKeys };

function describeShownKeys(parts: ShownParts, how: ShowOptions, operation: Operation | undefined, contract: Contract) {
  const { step, security, keys } = how;
  const { auth } = step;
  const names = auth === 'missing' ? [] : listShownNames(security, keys);
  const isValid = auth === 'valid' || auth === 'lowerCaseField';
  const of = operation?.id ?? parts.place.replace(/[?].*$/s, '');
  if (names.length > 0) return { shown: { names, isValid, of, show: showAgain(parts, how) } };
  const isOpen = operation !== undefined && security.every((combination) => combination.length === 0);
  if (!isOpen || !isValid || !isGiven(keys) || contract.securitySchemes.length === 0) return {};
  const all = listAny(contract, keys);
  const show = (shown: Security): ShownInRequest['show'] => showAgain(parts, { step, security: shown, keys });
  const [first = []] = all;
  const alone = first.length < 2 ? [] : first.map((scheme) => ({ scheme: scheme.name, show: show([[scheme]]) }));
  return { withGiven: { of, show: show(all), alone } };
}

function showAgain({ place, query, headers, shown }: ShownParts, { step, security, keys }: ShowOptions) {
  const others = Object.entries(headers).filter(([name, value]) => shown.headers[name] !== value);
  return (values: Readonly<Record<string, string>> | undefined): Pick<WireRequest, 'target' | 'headers'> => {
    const current = Object.entries(keys.credentials).map(([name, value]): [string, string] => [
      name,
      values?.[keys.names?.[name] ?? name] ?? value,
    ]);
    const ownKeys = { ...keys, credentials: Object.fromEntries(current) };
    const now = presentKeys(values === undefined ? 'missing' : step.auth, security, ownKeys);
    const whole = [query, now.query].filter((part) => part !== '').join('&');
    return writeHead({ place, query: whole, headers: { ...Object.fromEntries(others), ...now.headers } }, step);
  };
}

function baseOf(operation: Operation | undefined, { contract, basePath }: Bases): string {
  if (operation?.server === undefined) return basePath;
  const isBelow = basePath.endsWith(contract.basePath);
  return `${isBelow ? basePath.slice(0, basePath.length - contract.basePath.length) : ''}${operation.server.basePath}`;
}

function findAt(method: string, path: string, { contract }: Bases): Operation | undefined {
  const match = contract.match(method, path.split('?')[0] ?? '');
  if (match.kind === 'unknown-path') return undefined;
  return match.kind === 'operation' ? match.operation : match.operations[0];
}

type Bases = Pick<PrepareOptions, 'contract' | 'basePath'>;

export function splitTarget({ method, target }: Pick<WireRequest, 'method' | 'target'>, options: Bases) {
  for (const operation of options.contract.operations) {
    if (operation.server === undefined) continue;
    const base = baseOf(operation, options);
    const rest = target.slice(base.length);
    const found = target.startsWith(base) ? findAt(method, rest, options) : undefined;
    if (found?.server?.basePath === operation.server.basePath) return { base, rest };
  }
  return { base: options.basePath, rest: target.slice(options.basePath.length) };
}

function chooseSecurity({ auth, schemes }: Step, operation: Operation | undefined, security: Security, keys: RunKeys) {
  const isAsked = security.flat().length > 0;
  const isGivenName = (name: string): boolean => Object.hasOwn(keys.credentials, name);
  const lack = (names: readonly string[], verdict: Unsendable['verdict']): Unsendable => {
    const flags = names.map((name) => `--credential ${name}=<key or user:password>`).join(' ');
    return new Unsendable(`it needs the credentials of ${names.join(' and ')}: ${flags}`, verdict);
  };
  if (auth !== 'missing' && isAsked && isGiven(keys) && !isShowable(security, keys)) {
    const names = security.find((combination) => combination.length > 0)?.map(({ name }) => name) ?? [];
    const lacking = names.filter((name) => !isGivenName(name));
    throw lack(lacking, 'inconclusive');
  }
  const isInPlace = operation !== undefined && security !== operation.security && isAsked;
  if (isInPlace && findNoUse(auth, security, true) !== undefined)
    throw new Unsendable('the credentials of the run do not have this form', 'skipped');
  if (schemes === undefined) return security;
  const lacking = schemes.find((name) => !isGivenName(name));
  if (lacking !== undefined) throw lack([lacking], 'skipped');
  return security.filter((combination) => combination.map(({ name }) => name).join() === schemes.join());
}

function isToBeRefused({ method, operation, authorized, json, bodyLength, violations }: SentRequest): boolean {
  const isMalformed = json === undefined && bodyLength > 0;
  return operation !== undefined && method === 'POST' && (!authorized || isMalformed || violations.length > 0);
}

function fillPath(operation: Operation | undefined, step: Step, scope: Scope): string {
  if (operation === undefined) return String(fillTemplate(step.request?.path ?? '/', scope));
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = fillTemplate(step.parameters[name], scope);
    if (value === null) throw new UnresolvedReference(String(step.parameters[name]));
    return encodeInPath(value);
  });
}

function showPath(operation: Operation | undefined, step: Step, scope: Scope): string {
  const named = Object.entries(step.parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replace(/\{\$(?:scenarios|steps)\.[^{}]*\}/g, `<${name}>`) : value,
  ]);
  return fillPath(operation, { ...step, parameters: Object.fromEntries(named) }, scope)
    .replaceAll('%3C', '{')
    .replaceAll('%3E', '}');
}

function fillQuery(operation: Operation | undefined, step: Step, scope: Scope): string {
  if (step.query !== undefined) return String(fillTemplate(step.query, scope));
  const declared = operation?.parameters ?? [];
  const inPath = new Set(declared.filter((each) => each.in === 'path').map(({ name }) => name));
  const pairs = Object.entries(step.parameters).flatMap(([name, template]) => {
    const value = inPath.has(name) ? null : fillTemplate(template, scope);
    if (value === null) return [];
    const parameter = declared.find((each) => each.in === 'query' && each.name === name);
    if (parameter?.style === 'querystring') return [writeWholeQuery(parameter, value)];
    if (!Array.isArray(value)) return [`${encode(name)}=${encode(value)}`];
    const values = value.map((each) => encode(each));
    if (parameter?.explode === true) return values.map((each) => `${encode(name)}=${each}`);
    const separator = parameter === undefined ? ',' : separatorOf(parameter);
    return [`${encode(name)}=${values.join(separator === ',' ? separator : encode(separator))}`];
  });
  return pairs.join('&');
}

function fillHeaders(
  step: Step,
  body: FilledBody | undefined,
  scope: Scope,
  { operation, options, shown }: { operation: Operation | undefined; options: PrepareOptions; shown: ShownKeys },
): WireRequest['headers'] {
  const given = { ...options.extraHeaders, ...shown.headers };
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  // A cookie with the credentials, or what the user names the client by, no other one takes the place of.
  const isFixed = (name: string): boolean => names.has(name) && (name === 'cookie' || name === 'user-agent');
  const stated = Object.entries(fillTemplate(step.headers, scope) as Readonly<Record<string, string | null>>);
  const isChunked = step.requestBody?.cut === 'chunks' || IN_CHUNKS.has(step.form);
  const types = operation === undefined ? [] : listMediaTypes(operation);
  const successes = operation?.responses.filter(({ status }) => status.startsWith('2')) ?? [];
  const others = successes.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  const hasJson = others.some((mediaType) => isJsonMediaType(mediaType));
  const json = types.filter((mediaType) => bareMediaType(mediaType).endsWith('+json'));
  const headers: Record<string, string | readonly string[] | null> = {
    Accept: [...new Set(['application/json', ...json, ...(hasJson ? [] : others)])].join(', '),
    'Accept-Encoding': 'gzip, deflate, br',
    'User-Agent': options.userAgent,
    ...options.extraHeaders,
    ...(body === undefined || !isChunked ? {} : { 'Transfer-Encoding': 'chunked' }),
    ...(body === undefined || isChunked ? {} : { 'Content-Length': String(body.bytes.length) }),
    ...(body === undefined || body.mediaType === null ? {} : { 'Content-Type': body.mediaType }),
    ...shown.headers,
    ...Object.fromEntries(stated.filter(([name]) => !isFixed(name.toLowerCase()))),
  };
  const sent = Object.entries(headers).filter(([, value]) => value !== null);
  return Object.fromEntries(sent) as WireRequest['headers'];
}

function writeHead({ place, query, headers }: Omit<ShownParts, 'shown'>, { query: stated, form }: Step) {
  const target = query === '' && stated !== '' ? place : `${place}?${query}`;
  if (form === 'expect') return { target, headers: { ...headers, Expect: '100-continue' } };
  if (form === 'trailer') return { target, headers: { ...headers, Trailer: TRAILER } };
  if (form !== 'capitals' && form !== 'lowerCase') return { target, headers };
  const named = Object.entries(headers).map(([name, value]) => [
    form === 'capitals' ? name.toUpperCase() : name.toLowerCase(),
    value,
  ]);
  return { target, headers: Object.fromEntries(named) as WireRequest['headers'] };
}

function readBack(
  contract: Contract,
  operation: Operation | undefined,
  { path, query, headers, body }: Omit<ShownParts, 'place' | 'shown'> & { path: string; body: FilledBody | undefined },
): Pick<SentRequest, 'query' | 'path' | 'validParameters' | 'violations'> {
  if (operation === undefined) return { query: {}, path: {}, validParameters: false, violations: [] };
  const match = contract.match(operation.method, path);
  const pathValues = match.kind === 'operation' ? match.pathValues : {};
  const reading = readParameters(operation, { pathValues, query, headers: listNamed(operation, headers) });
  const inParameters = contract.validate.parameters(operation, reading);
  const { json, mediaType } = body ?? {};
  // A body that is deliberately not sent as JSON is judged as if it were.
  const bare = bareMediaType(mediaType ?? undefined);
  const isRead = bare.endsWith('+json') || bare === FORM || bare === MULTIPART;
  const readAs = isRead && mediaType ? mediaType : 'application/json';
  const inBody = json === undefined ? [] : contract.validate.requestBody(operation, readAs, json);
  const validParameters = inParameters.length === 0 && reading.repeated.length === 0 && reading.badEscapes.length === 0;
  return { query: reading.query, path: reading.path, validParameters, violations: [...inParameters, ...inBody] };
}

type FilledBody = { bytes: Uint8Array; mediaType: string | null; json: unknown };

function fillBody(body: StepBody | undefined, operation: Operation | undefined, scope: Scope, { document }: Contract) {
  if (body === undefined) return undefined;
  const mediaType = body.mediaType === undefined ? 'application/json' : body.mediaType;
  if (body.base64 !== undefined) return { bytes: Buffer.from(body.base64, 'base64'), mediaType, json: undefined };
  const form = body.text !== undefined || operation === undefined ? undefined : formOf(operation, mediaType);
  if (form !== undefined) {
    const written = writeForm(asObject(fillTemplate(body.json, scope)), form);
    return { bytes: Buffer.from(written.text), mediaType: written.mediaType, json: written.read };
  }
  const write = (value: unknown): string =>
    body.written === undefined ? printJson(value) : writeJson(value, body.written, readDialect(document.root));
  const text =
    body.text === undefined ? write(fillTemplate(body.json ?? null, scope)) : String(fillTemplate(body.text, scope));
  const parsed = parseJson(text);
  return { bytes: Buffer.from(text.padEnd(body.padTo ?? 0)), mediaType, json: parsed.ok ? parsed.value : undefined };
}

export function checkKeys(
  { requestBody, parameters }: Pick<Step, 'requestBody' | 'parameters'>,
  { violations, operation }: Pick<SentRequest, 'violations' | 'operation'>,
): void {
  const unfit = violations.find(({ part, pointer }) => {
    if (part === 'path' && operation?.path.endsWith(`{${pointer.slice(1)}}`) === true) return false;
    const template = followPointer(part === 'body' ? requestBody?.json : parameters, pointer);
    return typeof template === 'string' && /^(?:\$scenarios\.[^{}]*|\{\$scenarios\.[^{}]*\})$/.test(template);
  });
  if (unfit === undefined) return;
  const { at, expected, actual } = unfit;
  const reason = `it needs a key that ${at} may have (${expected}); the target makes keys such as ${actual}`;
  throw new Unsendable(`${reason}: the contract should state the same form for both`, 'inconclusive');
}

type Bare = Pick<Step, 'id' | 'operationId'> &
  Partial<Pick<Step, 'parameters'>> & { json?: unknown; headers?: Readonly<Record<string, string>> | undefined };

export function bareStep({ id, operationId, parameters = {}, json, headers = {} }: Bare): Step {
  const literal = (values: object): Record<string, never> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Literal(value) as never]));
  const requestBody = json === undefined ? undefined : { json: new Literal(json) };
  const bare = { auth: 'valid', control: false, isAtNewKey: false, guessed: [], outputs: {} } as const;
  return { ...bare, id, operationId, parameters: literal(parameters), headers: literal(headers), requestBody };
}

export const NOTHING_KNOWN: Scope = {
  case: {},
  each: undefined,
  steps: {},
  outputsOf: () => undefined,
  request: undefined,
  response: undefined,
  unique: () => Array.from({ length: 5 }, () => String.fromCharCode(97 + randomInt(26))).join(''),
  contract: undefined,
  run: {},
};

export type GivenParameters = Readonly<Record<string, string>>;

export function listNeeded(operation: Operation, given: GivenParameters, contract: Contract) {
  const needed = operation.parameters.filter(({ required, in: place }) => required && /^(?:header|query)$/.test(place));
  // Any version, for what asks for no record of its own; the ETag of one that a run updates is read first.
  const takesTag = contract.operations.some((each) => each.path === operation.path && showsTag(each));
  return needed.map((parameter) => {
    const tag = takesTag && isTagName(parameter.name) ? '*' : undefined;
    return { parameter, value: chooseValue(parameter, given, contract) ?? tag };
  });
}

function chooseValue(parameter: Parameter, given: GivenParameters, contract: Contract): unknown {
  const { name, schema, schemaPointer } = parameter;
  const own = findGiven(name, given);
  if (own !== undefined) return own;
  const isAnyFine =
    /(?:request|correlation|trace|session)[-_]?id$/i.test(name) || isRepeatKey(name) || schema['type'] === 'boolean';
  const sample = isAnyFine && schemaPointer !== undefined ? [sampleValue(contract.document, schemaPointer)] : [];
  return chooseStated(parameter, contract) ?? findFitting(sample, parameter, contract);
}

export function chooseStated(parameter: Parameter, contract: Contract): unknown {
  const { pointer, schemaPointer } = parameter;
  const { document } = contract;
  const stated = asObject(document.at(pointer));
  const examples = Object.values(asObject(stated['examples'])).map((each) => asObject(each)['value']);
  const pointers = schemaPointer === undefined ? [] : [schemaPointer];
  const { parts } = mergeSchemas(document, readDialect(document.root), pointers);
  const inSchema = ['examples', 'example', 'default', 'const', 'enum'].flatMap((key) =>
    parts.flatMap(({ schema }) => (key === 'examples' || key === 'enum' ? asList(schema[key]) : [schema[key]])),
  );
  return findFitting([stated['example'], ...examples, ...inSchema], parameter, contract);
}

function findGiven(name: string, given: GivenParameters): string | undefined {
  return Object.entries(given).find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
}

/** An example in a path names a record that few services have, so it is none of these. */
export function chooseInPath(name: string, parameter: Parameter, given: GivenParameters, contract: Contract): unknown {
  const { schema } = parameter;
  const stated = [schema['default'], schema['const'], ...asList(schema['enum'])];
  return findGiven(name, given) ?? findFitting(stated, parameter, contract);
}

function findFitting(candidates: readonly unknown[], parameter: Parameter, { validate }: Pick<Contract, 'validate'>) {
  const { schemaPointer } = parameter;
  return candidates.find(
    (value) =>
      (typeof value === 'string' || typeof value === 'boolean' || isJsonNumber(value)) &&
      (schemaPointer === undefined || validate.value(schemaPointer, value).length === 0),
  );
}

type Needing = Parameters<typeof listNeeded>;

export function findLackingParameter(...needing: Needing): Parameter | undefined {
  return listNeeded(...needing).find(({ value }) => value === undefined)?.parameter;
}

export function describeLacking(...needing: Needing): string | undefined {
  const lacking = findLackingParameter(...needing);
  if (lacking === undefined) return undefined;
  const where = lacking.in === 'header' ? 'header field' : 'query parameter';
  return `it needs the ${where} ${lacking.name}; set it with --parameter ${lacking.name}=<value>`;
}

export function readPairs(pairs: readonly string[]): GivenParameters {
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

/** Throws a {@link PetstoreMockError} for a parameter that the contract does not have. */
export function checkParameterNames(given: GivenParameters, contract: Contract, inPath: readonly { name: string }[]) {
  const { operations, document } = contract;
  const others = operations.flatMap(({ parameters }) => parameters.filter(({ in: place }) => place !== 'path'));
  const known = new Set([...others, ...inPath].map(({ name }) => name));
  const lower = new Set([...known].map((name) => name.toLowerCase()));
  const unknown = Object.keys(given).find((name) => !lower.has(name.toLowerCase()));
  if (unknown === undefined) return;
  throw new PetstoreMockError(
    'bad-option',
    `a value is given for the parameter ${unknown}, which no operation of ${document.file} has${suggest(unknown, [...known])}`,
  );
}

function fillNeeded(step: Step, operation: Operation, { parameters, contract, extraHeaders }: PrepareOptions): Step {
  // By which a response goes on until the client hangs up: `stream`, which is often true by default.
  const isEndless = ({ in: place, name, required, shape }: Parameter): boolean =>
    place === 'query' && !required && shape.types.includes('boolean') && /^(?:stream|follow|watch)$/i.test(name);
  const ending = operation.parameters.filter(isEndless).map((parameter) => ({ parameter, value: false }));
  const needed = [...listNeeded(operation, parameters, contract), ...ending].filter(({ value }) => value !== undefined);
  if (needed.length === 0) return step;
  // Requests with the same repeat key are one request: each has its own, unless the user gives one.
  const write = ({ name, schemaPointer }: Parameter, value: unknown): unknown => {
    const isFree = isRepeatKey(name) && findGiven(name, parameters) === undefined;
    const takesOurs = (pointer: string): boolean => contract.validate.value(pointer, `${ZEROS}12345678`).length === 0;
    if (isFree && (schemaPointer === undefined || takesOurs(schemaPointer))) return `${ZEROS}{$uniqueInteger}`;
    return new Literal(String(value));
  };
  const ofPlace = (place: 'header' | 'query', isStated: (name: string) => boolean): Record<string, unknown> => {
    const own = needed.filter(({ parameter }) => parameter.in === place && !isStated(parameter.name));
    return Object.fromEntries(own.map(({ parameter, value }) => [parameter.name, write(parameter, value)]));
  };
  const own = asObject(step.headers);
  const headers = new Set(Object.keys({ ...extraHeaders, ...own }).map((name) => name.toLowerCase()));
  const all = { ...ofPlace('header', (name) => headers.has(name.toLowerCase())), ...own } as Step['headers'];
  const textOf = (value: unknown): string => String(value instanceof Literal ? value.value : value);
  const query = textOf(step.query ?? '');
  const stated = new URLSearchParams(query);
  const inQuery = ofPlace('query', (name) => Object.hasOwn(step.parameters, name) || stated.has(name));
  if (step.query === undefined) return { ...step, headers: all, parameters: { ...step.parameters, ...inQuery } };
  const asText = Object.entries(inQuery).map(([name, value]) => `${encode(name)}=${encode(textOf(value))}`);
  const joined = [query, ...asText].filter((part) => part !== '').join('&');
  return { ...step, headers: all, query: step.query instanceof Literal ? new Literal(joined) : joined };
}

const ZEROS = '00000000-0000-4000-8000-0000';

export function listNamed({ parameters }: Operation, headers: WireRequest['headers']): Record<string, string> {
  const names = new Set(parameters.filter(({ in: place }) => place === 'header').map(({ name }) => name.toLowerCase()));
  const named = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && names.has(name.toLowerCase()) ? [[name.toLowerCase(), value]] : [],
  );
  return Object.fromEntries(named);
}

/** A letter or a digit and its percent escape are the same (RFC 3986 section 6.2.2.2). */
export function escapeFirst(encoded: string): string {
  return encoded.replace(/(?<!%|%.)[A-Za-z\d]/, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

export const ESCAPED = '$escaped';

export function encodeInPath(value: unknown): string {
  if (!isEscaped(value)) return encode(value);
  const encoded = encode(value[ESCAPED]);
  if (value.how !== 'all') return escapeFirst(encoded);
  // The digits of an escape may be in either case (RFC 3986 section 2.1).
  return encoded.replace(/%[\dA-F]{2}|[\w.~-]/g, (sign) =>
    (sign.length > 1 ? sign : `%${sign.charCodeAt(0).toString(16)}`).toLowerCase(),
  );
}

export function isEscaped(value: unknown): value is { [ESCAPED]: unknown; how?: 'first' | 'all' } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, ESCAPED);
}

/** A target may answer with half a surrogate pair, which a URL cannot contain. */
export function encode(value: unknown): string {
  return encodeURIComponent(String(value).replace(/\p{Surrogate}/gu, '\uFFFD'));
}
