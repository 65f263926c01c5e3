import { type Contract, loadContract } from '../../contract/contract.js';
import { cutText, printJson } from '../../contract/document/json.js';
import { asList, asObject } from '../../contract/document/plain.js';
import type { Operation, Parameter } from '../../contract/model.js';
import { formatPlace } from '../../errors.js';
import { listFields, type BodyField } from '../../server/admin/handlers.js';
import { fillRequest, recordsOf } from '../../server/example-requests/fill-request.js';
import { suggest } from '../../suggest.js';
import { type KnownMock, ownFile, refuse } from '../session.js';
import { only, takeFirst, textOf, type Arguments, type McpTool, type ToolAnswer, type ToolCall } from '../tool.js';

/** So many operations or schemas are in one answer, and so many fields of one. */
const PAGE = 20;
const MOST_FIELDS = 40;
const TEXT = 160;

/** What a contract says, a few lines at a time. */
export const contractTool: McpTool = {
  name: 'contract',
  title: 'Look something up in the contract',
  description:
    'Operations and schemas of an OpenAPI contract. find: by words. operation, schema: one in detail, with fields, lines and an example request. It costs far less than reading the file.',
  properties: {
    find: { type: 'string', description: 'words; none lists all' },
    operation: { type: 'string', description: 'an operationId, or "GET /pets"' },
    schema: { type: 'string' },
    spec: { type: 'string', description: 'OpenAPI file; default: that of the mock' },
    mock: { type: 'string' },
    offset: { type: 'integer', minimum: 0 },
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: async (given, call) => {
    const { contract, mock } = readFor(given, call);
    if (given['operation'] !== undefined)
      return tellOperation(findOperation(textOf(given, 'operation') ?? '', contract), contract, mock);
    if (given['schema'] !== undefined) return tellSchema(textOf(given, 'schema') ?? '', contract);
    return listAll(contract, textOf(given, 'find') ?? '', Number(given['offset'] ?? 0));
  },
};

/** The contract of a call: a file's, else that of a mock. */
export function readFor(
  { spec, mock }: Arguments,
  { desk: { mocks, permissions } }: ToolCall,
): { contract: Contract; mock: KnownMock | undefined } {
  if (typeof spec === 'string')
    return { contract: loadContract(ownFile(spec, permissions.folder), {}), mock: undefined };
  const known = mocks.get(mock);
  return { contract: known.contract, mock: known };
}

type Listed = { kind: 'operation' | 'schema'; name: string; line: string; text: string; place: string };

function listAll(contract: Contract, words: string, offset: number): ToolAnswer {
  const wanted = words
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word !== '');
  const all = [...listOperations(contract), ...listSchemas(contract)];
  const ranked = all
    .map((each) => ({ each, hits: wanted.filter((word) => each.text.includes(word)).length }))
    .filter(({ hits }) => wanted.length === 0 || hits > 0)
    .toSorted((one, other) => other.hits - one.hits)
    .map(({ each }) => each);
  const { shown, left } = takeFirst(ranked, PAGE, offset);
  const next = left === 0 ? undefined : offset + shown.length;
  const head = `${contract.title} ${contract.version}: ${ranked.length} of ${all.length} operations and schemas${words === '' ? '' : ` with ${words}`}`;
  const rest = next === undefined ? [] : [`${left} more: offset=${next}`];
  return {
    text: [head, ...shown.map(({ line }) => line), ...rest].join('\n'),
    data: {
      contract: `${contract.title} ${contract.version}`,
      found: ranked.length,
      ...only({ items: shown.map(({ kind, name, place }) => ({ kind, name, place })), left, next }),
    },
  };
}

function listOperations({ operations, document }: Contract): Listed[] {
  return operations.map(({ id, method, path, pointer, deprecated }) => {
    const summary = document.textAt(`${pointer}/summary`) ?? '';
    const tags = asList(asObject(document.at(pointer))['tags']).join(' ');
    const description = document.textAt(`${pointer}/description`) ?? '';
    return {
      kind: 'operation',
      name: id,
      line: `${id}  ${method} ${path}  ${cutText(summary, 80)}${deprecated ? ' (deprecated)' : ''}`.trimEnd(),
      text: `${id} ${method} ${path} ${summary} ${description} ${tags}`.toLowerCase(),
      place: formatPlace(document.placeOf(pointer)),
    };
  });
}

const SCHEMAS = ['', 'components', 'schemas'].join('/');

function listSchemas(contract: Contract): Listed[] {
  return Object.keys(asObject(contract.document.at(SCHEMAS))).map((name) => {
    const pointer = `${SCHEMAS}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const fields = Object.keys(asObject(asObject(contract.document.at(pointer))['properties']));
    return {
      kind: 'schema',
      name,
      line: `schema ${name}  ${cutText(fields.join(', '), 80)}`.trimEnd(),
      text: `${name} ${fields.join(' ')}`.toLowerCase(),
      place: formatPlace(contract.document.placeOf(pointer)),
    };
  });
}

function findOperation(name: string, { operations }: Contract): Operation {
  const found = operations.find(({ id, method, path }) => id === name || `${method} ${path}` === name);
  if (found !== undefined) return found;
  const ids = operations.map(({ id }) => id);
  throw refuse(`the contract has no operation ${name}${suggest(name, ids)} contract with find looks for words.`);
}

function tellOperation(operation: Operation, contract: Contract, mock: KnownMock | undefined): ToolAnswer {
  const { document } = contract;
  const { id, method, path, parameters, requestBody, responses, pointer, secured, deprecated } = operation;
  const content = requestBody?.content[0];
  const fields = content?.schemaPointer === undefined ? [] : listFields(document, content.schemaPointer);
  const { shown, left } = takeFirst(fields, MOST_FIELDS);
  const world = mock?.enter?.('default');
  const example = fillRequest(operation, contract, world === undefined ? undefined : recordsOf(world));
  const request = {
    method,
    path: `${operation.server?.basePath ?? contract.basePath}${example.path}${example.query.length === 0 ? '' : `?${example.query.join('&')}`}`,
    ...only({
      headers: Object.keys(example.headers).length === 0 ? undefined : example.headers,
      body: example.body?.text,
    }),
  };
  const answers = responses.map(
    ({ status, content: [first] }) => `${status}${first === undefined ? '' : ` ${first.mediaType}`}`,
  );
  const data = only({
    operation: id,
    method,
    path,
    place: formatPlace(document.placeOf(pointer)),
    summary: cutText(document.textAt(`${pointer}/summary`) ?? '', TEXT),
    deprecated: deprecated ? true : undefined,
    needsKey: secured ? true : undefined,
    parameters: parameters.map((each) => tellParameter(each)),
    body: content === undefined ? undefined : content.mediaType,
    fields: shown.map(tellField),
    fieldsLeftOut: left,
    answers,
    example: request,
  });
  const lines = [
    `${id}: ${method} ${path} (${data.place ?? ''})${secured ? '  needs the key' : ''}${deprecated ? '  deprecated' : ''}`,
    ...(data.summary === undefined ? [] : [data.summary]),
    ...parameters.map((each) => `  ${tellParameter(each)}`),
    ...(content === undefined
      ? []
      : [`body ${content.mediaType}${requestBody?.required === true ? ', required' : ''}`]),
    ...shown.map((each) => `  ${tellField(each)}`),
    ...(left === 0 ? [] : [`  and ${left} more fields`]),
    `responses ${answers.join(', ')}`,
    `example ${request.method} ${request.path}${example.body === undefined ? '' : `  ${example.body.text}`}`,
  ];
  return { text: lines.join('\n'), data };
}

function tellParameter({ name, in: part, required, schema, shape }: Parameter): string {
  const rules = ['enum', 'minimum', 'maximum', 'pattern', 'default', 'format'].flatMap((rule) =>
    schema[rule] === undefined ? [] : [`${rule} ${cutText(printJson(schema[rule]), 80)}`],
  );
  return [`${part}/${name}`, shape.types.join('|'), ...(required ? ['required'] : []), ...rules].join(' ').trim();
}

function tellField({ pointer, required, types, choices, description }: BodyField): string {
  const said = [
    ...(required ? ['required'] : []),
    ...(choices.length === 0 ? [] : [`one of ${cutText(choices.map((each) => printJson(each)).join(', '), 80)}`]),
    ...(description === undefined ? [] : [cutText(description.split('\n')[0] ?? '', 60)]),
  ];
  return `body${pointer} ${[...new Set(types)].join('|')} ${said.join(' ')}`.trimEnd();
}

function tellSchema(name: string, contract: Contract): ToolAnswer {
  const names = Object.keys(asObject(contract.document.at(SCHEMAS)));
  if (!names.includes(name))
    throw refuse(`the contract has no schema ${name}${suggest(name, names)} contract with find looks for words.`);
  const pointer = `${SCHEMAS}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const { shown, left } = takeFirst(listFields(contract.document, pointer), MOST_FIELDS);
  const place = formatPlace(contract.document.placeOf(pointer));
  return {
    text: [
      `schema ${name} (${place})`,
      ...shown.map((each) => `  ${tellField(each)}`),
      ...(left === 0 ? [] : [`  and ${left} more`]),
    ].join('\n'),
    data: only({ schema: name, place, fields: shown.map(tellField), left }),
  };
}
