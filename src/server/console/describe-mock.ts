import type { Operation, Content, Parameter, ResponseHeader, SecurityScheme } from '../../contract/model.js';
import { createKeyRing, isSame, challenge } from '../../mock/request/credentials.js';
import type { World } from '../../mock/world/world.js';
import { readPackageVersion, packageFile } from '../../package-files.js';
import type { AdminAccess } from '../admin/guard.js';
import { DEFAULT_API_KEY } from '../options.js';
import { fillRequest, recordsOf } from '../example-requests/fill-request.js';
import { readText, rejectEndless } from '../../contract/document/document.js';
import type { Contract } from '../../contract/contract.js';
import type { SourcePlace } from '../../errors.js';
import { chooseCombination, presentCredentials, type Presented } from '../../contract/security.js';
import { printJson, printPlain } from '../../contract/document/json.js';
import { asList, asObject, asText } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { readDialect } from '../../contract/schemas/dialect.js';
import { listPlacedExamples } from '../../contract/schemas/examples.js';
import { mergeSchemas, type MergedSchema } from '../../contract/schemas/merged-schema.js';

type Surroundings = { showsExamples?: boolean; mountPath: string; admin: AdminAccess | undefined };

/** The facts about a mock for both pages: nothing that a user of the API could not find out. The page has the types. */
export function describeMock(world: World, { mountPath, admin, showsExamples = false }: Surroundings) {
  const { contract, credentials } = world;
  const { document, title, version, basePath } = contract;
  const [key] = createKeyRing([DEFAULT_API_KEY]) as [Uint8Array];
  const why = findReasonAgainst(admin);
  return {
    version: readPackageVersion(),
    contract: { title, version, description: document.textAt('/info/description'), file: document.file },
    mountPath,
    basePath,
    // A user's key is never shown.
    key: credentials.keys.some((each) => isSame(each, key)) ? DEFAULT_API_KEY : undefined,
    console: { isOn: why === undefined, why },
    operations: contract.operations.map((operation, index) => {
      const { id, method, path, deprecated, sunset, pointer, responses } = operation;
      return {
        id,
        method,
        path,
        summary: document.textAt(`${pointer}/summary`) ?? '',
        deprecated,
        sunset,
        // Of the first few; the others are asked for when they are looked at.
        example: showsExamples && index < SLICE ? writeExample(operation, world) : undefined,
        credentials: present(operation, world).headers,
        statuses: responses.map(({ status }) => status),
      };
    }),
  };
}

function findReasonAgainst(admin: AdminAccess | undefined): string | undefined {
  if (admin === undefined) return 'The console needs an admin token where the mock is mounted in another app.';
  if (!admin.enabled) return 'The console is off, since the admin API is.';
  if (admin.token !== undefined || admin.loopback) return undefined;
  return 'The console is off, since other machines can reach this mock; start it with PETSTORE_MOCK_ADMIN_TOKEN set.';
}

const SLICE = 12;

export function listExamples(world: World, from: string | null): Record<string, ReturnType<typeof writeExample>> {
  const { operations } = world.contract;
  const at = operations.findIndex(({ id }) => id === from);
  const slice = at < 0 ? [] : operations.slice(at, at + SLICE);
  return Object.fromEntries(slice.map((operation) => [operation.id, writeExample(operation, world)]));
}

/** A request of an operation to copy. In a large contract, it takes milliseconds to make one. */
export function writeExample(operation: Operation, world: World) {
  const shown = present(operation, world);
  const { path, query, headers, body } = fillRequest(operation, world.contract, recordsOf(world));
  const whole = [...query, ...shown.query.map(([name, value]) => `${name}=${value}`)];
  return {
    path: whole.length === 0 ? path : `${path}?${whole.join('&')}`,
    headers: { ...headers, ...shown.headers },
    body: body?.text,
    mediaType: body?.mediaType,
    json: body?.json,
    form: body?.form,
  };
}

export type Excerpt = { file: string; from: number; lines: string[]; line: number };

const BEFORE = 3;
const AFTER = 4;
const MOST_OF_LINE = 200;

export function cutExcerpt({ file, line }: SourcePlace, { document }: Contract): Excerpt | undefined {
  if (line === undefined) return undefined;
  try {
    // Shipped files are named by their place in the package, not in the working directory.
    const path = document.createValidators === undefined ? file : packageFile(file);
    // Since the start it may have become a pipe.
    rejectEndless(path);
    const all = readText(path).split(/\r?\n/);
    if (line > all.length) return undefined;
    const from = Math.max(1, line - BEFORE);
    return { file, from, lines: all.slice(from - 1, line + AFTER).map((each) => each.slice(0, MOST_OF_LINE)), line };
  } catch {
    return undefined;
  }
}

export const KEY_VARIABLE = '$PETSTORE_API_KEY';

export function present(operation: Operation, world: World): Presented {
  const combination = chooseCombination(operation.security, () => true);
  const shown = presentCredentials(combination, () => DEFAULT_API_KEY);
  const query = shown.query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const headers = Object.fromEntries(Object.entries(shown.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const { method, path } = operation;
  const request = { method, path, mountPath: '', query, headers, body: undefined };
  if (challenge(request, operation.security, world) === undefined) return shown;
  // A pair is sent in Base64, in which a variable cannot be inserted.
  return presentCredentials(
    combination.filter(({ kind }) => kind !== 'basic'),
    () => KEY_VARIABLE,
  );
}

/** A schema as a tree, as deep as {@link DEPTH}; what is below is asked for. */
export interface SchemaNode {
  /** JSON Pointers to the schemas that it is made of, to ask for what is below. */
  at: readonly string[];
  name: string | undefined;
  types: readonly string[];
  description: string | undefined;
  /** What else a value must keep, in words: `1 to 100`, `matches ^a`. */
  limits: string[];
  choices: string[];
  default: string | undefined;
  example: string | undefined;
  marks: string[];
  line: number | undefined;
  isCut: boolean;
  /** Properties, the items of a list (`[]`), any other property (`*`), and alternatives (`or`). */
  below: { name: string; kind: Branch['kind']; required: boolean; schema: SchemaNode }[];
}

const DEPTH = 3;
const MOST_OF_TEXT = 2000;

export function describeReference(operation: Operation, contract: Contract) {
  const { document } = contract;
  const { id, method, path, deprecated, sunset, successor, pointer, requestBody, responses } = operation;
  const describe = ({ pointer: at }: { pointer: string }): string | undefined => document.textAt(`${at}/description`);
  return {
    operationId: id,
    method,
    path: `${contract.basePath}${path}`,
    summary: document.textAt(`${pointer}/summary`),
    description: describe(operation),
    deprecated,
    sunset,
    successor,
    tags: asList(document.at(`${pointer}/tags`)).filter((tag) => typeof tag === 'string'),
    security: operation.security.map((needed, index) =>
      needed.map(({ name, kind, at }) => ({
        name,
        sent: SENT[kind](at),
        scopes: operation.scopes[index]?.[name] ?? [],
      })),
    ),
    parameters: operation.parameters.map((each) => describeField(each, each.in, contract)),
    body: requestBody && {
      required: requestBody.required,
      description: describe(requestBody),
      contents: requestBody.content.map((each) => describeContent(each, requestBody, contract)),
    },
    responses: responses.map((response) => ({
      status: response.status,
      description: describe(response),
      line: document.placeOf(response.pointer).line,
      headers: response.headers.map((each) => describeField(each, 'header', contract)),
      contents: response.content.map((each) => describeContent(each, response, contract)),
    })),
    excerpt: cutExcerpt(document.placeOf(pointer), contract),
  };
}

const SENT: Readonly<Record<SecurityScheme['kind'], (at: string) => string>> = {
  bearer: () => 'Authorization: Bearer …',
  basic: () => 'Authorization: Basic …',
  word: (at) => `Authorization: ${at} …`,
  header: (at) => `${at}: …`,
  query: (at) => `?${at}=…`,
  cookie: (at) => `Cookie: ${at}=…`,
};

function describeField(
  { name, required, pointer, schemaPointer }: Parameter | ResponseHeader,
  place: string,
  contract: Contract,
) {
  const stated = asObject(resolveAt(contract.document, pointer).value);
  return {
    name,
    in: place,
    required,
    deprecated: stated['deprecated'] === true,
    description: asText(stated['description']),
    line: contract.document.placeOf(pointer).line,
    schema: schemaPointer === undefined ? undefined : describeSchema([schemaPointer], contract),
  };
}

function describeContent(
  { mediaType, schemaPointer, itemPointer }: Content,
  of: { pointer: string },
  contract: Contract,
) {
  const at = schemaPointer ?? itemPointer;
  const examples = listPlacedExamples(contract.document, of, { mediaType, name: undefined });
  return {
    mediaType,
    schema: at === undefined ? undefined : describeSchema([at], contract),
    examples: examples.map(({ value, pointer, text }) => ({
      name: /\/examples\/([^/]+)$/.exec(pointer)?.[1] ?? '',
      text: text ?? (typeof value === 'string' ? value : printJson(value)),
    })),
  };
}

export function describeSchema(at: readonly string[], contract: Contract, depth = DEPTH): SchemaNode {
  const { document } = contract;
  const merged = mergeSchemas(document, readDialect(document.root), at);
  const { rules } = merged;
  const branches = listBranches(merged);
  const [pointer = ''] = at;
  const reference = asText(asObject(document.at(pointer))['$ref']) ?? pointer;
  const [, name] = /\/(?:schemas|definitions|\$defs)\/([^/]+)$/.exec(reference) ?? [];
  const example = rules['example'] ?? asList(rules['examples'])[0];
  const choices = [...asList(rules['enum']), ...(rules['const'] === undefined ? [] : [rules['const']])];
  return {
    at,
    name: at.length === 1 ? name : undefined,
    types: merged.types ?? [],
    description: asText(rules['description'])?.slice(0, MOST_OF_TEXT),
    limits: describeLimits(merged),
    choices: choices.map(printPlain),
    default: rules['default'] === undefined ? undefined : printPlain(rules['default']),
    example: example === undefined ? undefined : printPlain(example).slice(0, MOST_OF_TEXT),
    marks: MARKS.filter((mark) => rules[mark] === true),
    line: document.placeOf(pointer).line,
    isCut: depth === 0 && branches.length > 0,
    below: (depth === 0 ? [] : branches).map((branch) => ({
      name: branch.name,
      kind: branch.kind,
      required: branch.kind === 'property' && merged.required.has(branch.name),
      schema: describeSchema(branch.at, contract, depth - 1),
    })),
  };
}

const MARKS = ['readOnly', 'writeOnly', 'deprecated', 'nullable', 'uniqueItems'];

type Branch = { name: string; kind: 'property' | 'items' | 'others' | 'alternative'; at: readonly string[] };

function listBranches(merged: MergedSchema): Branch[] {
  const { properties, items, prefixItems, patternProperties, additional = [], choices, rules } = merged;
  const says = rules['additionalProperties'];
  const hasOthers = additional.length > 0 && typeof says === 'object' && says !== null;
  return [
    ...[...properties].map(([name, at]): Branch => ({ name, kind: 'property', at })),
    ...patternProperties.map(([name, at]): Branch => ({ name, kind: 'others', at: [at] })),
    ...(hasOthers ? [{ name: '*', kind: 'others', at: additional } as const] : []),
    ...prefixItems.map((at, index): Branch => ({ name: `[${index}]`, kind: 'items', at: [at].flat() })),
    ...(items.length > 0 ? [{ name: '[]', kind: 'items', at: items } as const] : []),
    ...choices.flat().map((at): Branch => ({ name: 'or', kind: 'alternative', at: [at] })),
  ];
}

const BOUNDS = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' items'],
  ['minProperties', 'maxProperties', ' properties'],
] as const;

function describeLimits({ rules, patterns }: MergedSchema): string[] {
  const bounds = BOUNDS.flatMap(([least, most, unit]) => {
    const [from, to] = [rules[least], rules[most]];
    if (from === undefined && to === undefined) return [];
    const range =
      to === undefined
        ? `at least ${printPlain(from)}`
        : from === undefined
          ? `at most ${printPlain(to)}`
          : `${printPlain(from)} to ${printPlain(to)}`;
    return [`${range}${unit}`];
  });
  const one = (name: string, say: (value: string) => string): string[] =>
    rules[name] === undefined || typeof rules[name] === 'boolean' ? [] : [say(printPlain(rules[name]))];
  return [
    ...(typeof rules['format'] === 'string' ? [rules['format']] : []),
    ...bounds,
    ...one('exclusiveMinimum', (value) => `more than ${value}`),
    ...one('exclusiveMaximum', (value) => `less than ${value}`),
    ...one('multipleOf', (value) => `a multiple of ${value}`),
    ...patterns.map((pattern) => `matches ${pattern}`),
    ...(rules['additionalProperties'] === false ? ['no other properties'] : []),
  ];
}
