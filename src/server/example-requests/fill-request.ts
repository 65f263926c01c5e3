import type { Contract } from '../../contract/contract.js';
import { asList, asObject } from '../../contract/document/plain.js';
import type { Operation, Parameter, Content } from '../../contract/model.js';
import { isTagName } from '../../contract/operations/operations.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { readParameterRoles } from '../../mock/request/read-request.js';
import type { World } from '../../mock/world/world.js';
import { printJson, printPlain } from '../../contract/document/json.js';
import { FORM, MULTIPART, isJsonMediaType } from '../../contract/media-types.js';
import { listFormParts, writeForm, writeWholeQuery } from '../../contract/forms.js';
import { findExample } from '../../contract/schemas/examples.js';
import type { Collections } from '../../mock/store/collections.js';
import { type Key, toKey, type Kept } from '../../mock/store/kept.js';
import { separatorOf, type Written } from '../../contract/parameters.js';

export interface KnownRecords {
  findValues(operation: Operation): Readonly<Record<string, unknown>>;
  settle(operation: Operation, body: unknown): unknown;
}

const NONE_KNOWN: KnownRecords = { findValues: () => ({}), settle: (_, body) => body };
const SHORT = 2;

/** A request that the contract allows, for records that there are; its path and query are encoded. */
export function fillRequest(operation: Operation, contract: Contract, records: KnownRecords = NONE_KNOWN) {
  const values = records.findValues(operation);
  const required = operation.parameters.filter((each) => each.required);
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = findInPath(operation, name);
    const value = values[name] ?? valueOf(parameter, contract);
    return encodeURIComponent(parameter === undefined ? String(value) : writeSimple(parameter, value));
  });
  // The parameter that sets the length of a page, if two records are a length that it may have.
  const { limit: named = 'limit' } = readParameterRoles(operation, contract);
  const paging = operation.parameters.find((each) => each.in === 'query' && each.name === named);
  const limit = paging !== undefined && allows(paging, SHORT, contract) ? paging : undefined;
  const query = required.filter((each) => each.in === 'query' && each !== limit);
  const headers = required.filter((each) => each.in === 'header');
  return {
    operation,
    path,
    query: [
      ...query.flatMap((each) => {
        const value = valueOf(each, contract);
        if (each.style === 'querystring') return writeWholeQuery(each, value);
        return listPairs(each, value).map((pair) => pair.map(encodeURIComponent).join('='));
      }),
      ...(limit === undefined ? [] : [`${encodeURIComponent(limit.name)}=${SHORT}`]),
    ],
    headers: Object.fromEntries(headers.map((each) => [each.name, writeSimple(each, valueOf(each, contract))])),
    body: fillBody(operation, contract, (body) => records.settle(operation, body)),
  };
}

export function recordsOf(world: World): KnownRecords {
  const findValues = (operation: Operation): Record<string, unknown> =>
    findPathValues(operation, world, (name) => valueOf(findInPath(operation, name), world.contract));
  return {
    findValues,
    settle: (operation, body) => {
      const {
        world: { collections },
        values,
      } = { world, values: findValues(operation) };
      for (const kept of collections.kept) {
        const role = kept.operations.find((each) => each.role === 'create' && each.operation.id === operation.id);
        if (role === undefined || kept.key === undefined) continue;
        const within = kept.scope.map((name) => String(values[name]));
        return changeAt(body, role.requestMember ?? [], (record) => {
          const property = kept.key?.property ?? '';
          const said = Object.hasOwn(record, property) ? toKey(record[property], kept.key) : undefined;
          if (said === undefined) return record;
          openIfFew(kept, within, collections);
          const isFree = collections.isOpen(kept, within) && collections.open(kept, within).get(said) === undefined;
          return isFree ? record : { ...record, [property]: collections.foresee(kept, within, 'next') ?? said };
        });
      }
      return body;
    },
  };
}

const findInPath = ({ parameters }: Operation, name: string): Parameter | undefined =>
  parameters.find((each) => each.in === 'path' && each.name === name);

function valueOf(parameter: Parameter | undefined, contract: Contract): unknown {
  if (parameter === undefined) return 'x';
  const { pointer, schemaPointer, name } = parameter;
  // Any version of a record will do.
  if (isTagName(name)) return '*';
  const { document } = contract;
  const stated = asObject(document.at(pointer));
  const examples = Object.values(asObject(stated['examples'])).map((each) => asObject(each)['value']);
  const made = schemaPointer === undefined ? [] : [sampleValue(document, schemaPointer)];
  const candidates = [stated['example'], ...examples, ...made, ...asList(parameter.schema['enum'])];
  const given = candidates.filter((value) => value !== undefined);
  return given.find((value) => allows(parameter, value, contract)) ?? given.at(-1) ?? 'x';
}

const allows = ({ schemaPointer }: Parameter, value: unknown, { validate }: Contract): boolean =>
  schemaPointer === undefined || validate.value(schemaPointer, value).length === 0;

export type WrittenField = { name: string; value: string; flag: '-F' | '--form-string'; field: string };

const LONGEST_BODY = 300;

export type ShownRequest = ReturnType<typeof fillRequest>;

function fillBody(operation: Operation, contract: Contract, settle: (body: unknown) => unknown) {
  const content = chooseContent(operation);
  if (content === undefined) return undefined;
  const chosen = chooseBody(operation, content, contract);
  if (chosen === undefined) return undefined;
  const value = settle(chosen);
  const { mediaType } = content;
  const json = printJson(value);
  if (!isForm(mediaType)) {
    const text = typeof value === 'string' && !isJsonMediaType(mediaType) ? value : json;
    return { mediaType, text, json, form: undefined };
  }
  const form = writeForm(asObject(value), content);
  const isInParts = form.mediaType !== mediaType;
  const parts = isInParts ? listFormParts(asObject(value), content) : undefined;
  const fields = parts?.map(({ name, value: text, mediaType: own }): WrittenField => {
    const isLiteral = /^[@<"]|[;\\]/.test(text);
    const type = isLiteral || own === undefined ? '' : `;type=${own}`;
    return { name, value: text, flag: isLiteral ? '--form-string' : '-F', field: `${name}=${text}${type}` };
  });
  return { mediaType: form.mediaType, text: form.text, json, form: fields };
}

function chooseContent({ method, requestBody }: Operation): Content | undefined {
  if (method === 'GET' || method === 'HEAD' || (method === 'DELETE' && requestBody?.required !== true))
    return undefined;
  const content = requestBody?.content ?? [];
  return (
    content.find(({ mediaType }) => isJsonMediaType(mediaType)) ??
    content.find(({ mediaType }) => isForm(mediaType)) ??
    content[0]
  );
}

/** The first body that is allowed and short, else allowed, else any: judging one compiles its schema. */
function chooseBody(operation: Operation, content: Content, contract: Contract): unknown {
  let long: unknown;
  let first: unknown;
  for (const value of makeBodies(operation, content, contract)) {
    if (value === undefined) continue;
    first ??= value;
    if (contract.validate.requestBody(operation, content.mediaType, value).length > 0) continue;
    if (printJson(value).length <= LONGEST_BODY) return value;
    long ??= value;
  }
  return long ?? first;
}

function* makeBodies({ requestBody }: Operation, { schemaPointer }: Content, { document }: Contract): Generator {
  const stated = requestBody && findExample(document, { ...requestBody, status: '', headers: [] });
  yield stated?.value;
  if (schemaPointer === undefined) return;
  const least = sampleValue(document, schemaPointer);
  const isEmpty = typeof least === 'object' && least !== null && Object.keys(least).length === 0;
  if (!isEmpty) return yield least;
  // A change that states nothing shows nothing: of a whole record, each plain field alone.
  const whole = sampleValue(document, schemaPointer, { optional: true });
  for (const [name, value] of Object.entries(asObject(whole)))
    if (typeof value === 'string' || typeof value === 'number') yield { [name]: value };
  yield least;
  yield whole;
}

const isForm = (mediaType: string): boolean => mediaType === FORM || mediaType === MULTIPART;

type Fields = Record<string, unknown>;

function changeAt(body: unknown, [name, ...rest]: readonly string[], change: (record: Fields) => Fields): unknown {
  const fields = asObject(body);
  if (name === undefined) return change(fields);
  return { ...fields, [name]: changeAt(fields[name], rest, change) };
}

/** The keys of present records by parameter; what removes a record names the last one, so that others remain. */
function findPathValues({ method, path }: Operation, { collections }: World, others: (name: string) => unknown) {
  // Paths with the same shape differ in the names of their parameters alone.
  const shapeOf = (each: string): string => each.replaceAll(/\{[^{}]*\}/g, '{}').replace(/\/$/, '');
  const values: Fields = {};
  const within: Key[] = [];
  for (const { index, 0: braced } of path.matchAll(/\{[^{}]+\}/g)) {
    const end = index + braced.length;
    const name = braced.slice(1, -1);
    const shape = shapeOf(path.slice(0, end));
    const kept = collections.kept.find(({ itemPath }) => itemPath !== undefined && shapeOf(itemPath) === shape);
    const isRemoved = method === 'DELETE' && /^\/?$/.test(path.slice(end));
    const isFound = kept?.key !== undefined && kept.scope.length === within.length;
    if (isFound) openIfFew(kept, within, collections);
    const found = isFound ? collections.foresee(kept, within, isRemoved ? 'last' : 'first') : undefined;
    values[name] = found ?? others(name);
    within.push(toKey(values[name], kept?.key) ?? String(values[name]));
  }
  return values;
}

/** Making the records of hundreds of collections takes seconds, so that in a large contract keys are foreseen. */
const MOST_MADE = 40;

function openIfFew(kept: Kept, within: readonly Key[], collections: Collections): void {
  if (collections.kept.length <= MOST_MADE) collections.open(kept, within);
}

function writeSimple(parameter: Parameter, value: unknown): string {
  const { name, style, explode } = parameter;
  const text = Array.isArray(value) ? writeList(value, parameter) : printPlain(value);
  if (style === 'label') return `.${text}`;
  return style === 'matrix' ? `;${name}=${explode ? text.replaceAll(',', `;${name}=`) : text}` : text;
}

function writeList(list: readonly unknown[], written: Written): string {
  const shape = written.shape.item ?? { types: [] };
  const texts = list.map((each) => (Array.isArray(each) ? writeList(each, { shape }) : printPlain(each)));
  return texts.join(separatorOf(written));
}

function listPairs(parameter: Parameter, value: unknown): [string, string][] {
  const { name, style, explode } = parameter;
  if (value === null || typeof value !== 'object' || style === 'json') return [[name, printPlain(value)]];
  if (style === 'deepObject') return Object.entries(value).flatMap(([key, each]) => nest(`${name}[${key}]`, each));
  if (Array.isArray(value))
    return explode ? value.map((each) => [name, printPlain(each)]) : [[name, writeList(value, parameter)]];
  const members = Object.entries(value).map(([key, each]): [string, string] => [key, printPlain(each)]);
  return explode ? members : [[name, members.flat().join(',')]];
}

function nest(name: string, value: unknown): [string, string][] {
  if (value === null || typeof value !== 'object') return [[name, printPlain(value)]];
  const members: [string, unknown][] = Array.isArray(value)
    ? value.map((each) => [`${name}[]`, each])
    : Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each]);
  return members.flatMap(([key, each]) => nest(key, each));
}
