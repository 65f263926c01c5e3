import type { SourceDocument } from '../../contract/document/document.js';
import { printJson } from '../../contract/document/json.js';
import { asList, asObject, asText } from '../../contract/document/plain.js';
import { findExample } from '../../contract/schemas/examples.js';
import { FORM, MULTIPART } from '../../contract/forms/media-types.js';
import { writeForm } from '../../contract/forms/write-form.js';
import type { Content, Operation, Parameter, RequestBody } from '../../contract/model.js';
import { sampleValue } from '../../contract/samples/sample.js';
import type { World } from '../../mock/world/world.js';
import { present } from '../console/present.js';
import { listFields, type BodyField } from './list-fields.js';
import { findKeys } from './find-keys.js';

/** What a request of an operation may have, and where to begin: enough for a form. */
export interface OperationForm {
  operationId: string;
  method: string;
  /** The template below {@link base}. */
  path: string;
  /** The base path of the API. */
  base: string;
  summary: string | undefined;
  description: string | undefined;
  deprecated: boolean;
  /** Its place in the contract. */
  contract: { file: string; line: number | undefined };
  parameters: FormParameter[];
  body: FormBody | undefined;
  /** The header fields and query parameters that show the mock's documented key; a user's own key is a placeholder. */
  credentials: { headers: Record<string, string>; query: { name: string; value: string }[] };
}

export interface FormParameter {
  name: string;
  in: Parameter['in'];
  required: boolean;
  deprecated: boolean;
  description: string | undefined;
  style: Parameter['style'];
  explode: boolean;
  /** The JSON types that it may have; none means any. */
  types: readonly string[];
  /** The only values that the contract allows; of a list, those of its items. */
  choices: unknown[];
  /** A value that fits: the key of a record, the contract's example or default, else a sample. */
  example: unknown;
  /** The keys of some records, if it is one. */
  keys: unknown[];
}

export interface FormBody {
  required: boolean;
  description: string | undefined;
  contents: FormContent[];
}

export interface FormContent {
  /** As it is sent, with the boundary of its example where it has one. */
  mediaType: string;
  /** A body that fits, as it is sent. */
  example: string;
  fields: BodyField[];
}

export function describeOperation(operation: Operation, world: World): OperationForm {
  const { id, method, path, deprecated, pointer, requestBody } = operation;
  const { document, basePath } = world.contract;
  const { headers, query } = present(operation, world);
  const { file, line } = document.placeOf(pointer);
  return {
    operationId: id,
    method,
    path,
    base: basePath,
    summary: document.textAt(`${pointer}/summary`),
    description: document.textAt(`${pointer}/description`),
    deprecated,
    contract: { file, line },
    parameters: operation.parameters.map((each) => describeParameter(each, operation, world)),
    body: requestBody === undefined ? undefined : describeBody(requestBody, world),
    credentials: { headers, query: query.map(([name, value]) => ({ name, value })) },
  };
}

function describeParameter(parameter: Parameter, operation: Operation, world: World): FormParameter {
  const { name, required, pointer, schema, schemaPointer, style, explode, shape } = parameter;
  const { document } = world.contract;
  const stated = asObject(document.at(pointer));
  const [named] = Object.values(asObject(stated['examples'])).map((each) => asObject(each)['value']);
  const [key, ...keys] = parameter.in === 'path' ? findKeys(name, operation, world) : [];
  const choices = asList(schema['enum'] ?? asObject(schema['items'])['enum']);
  return {
    name,
    in: parameter.in,
    required,
    deprecated: stated['deprecated'] === true,
    description: asText(stated['description']) ?? asText(schema['description']),
    style,
    explode,
    types: shape.types,
    choices: choices.length === 0 && shape.types.join('') === 'boolean' ? [true, false] : choices,
    example: key ?? stated['example'] ?? named ?? schema['default'] ?? sampleParameter(schemaPointer, document),
    keys: key === undefined ? [] : [key, ...keys],
  };
}

/** A list without items states nothing, so that one begins with an item. */
function sampleParameter(pointer: string | undefined, document: SourceDocument): unknown {
  if (pointer === undefined) return undefined;
  const value = sampleValue(document, pointer);
  if (!Array.isArray(value) || value.length > 0) return value;
  const item = sampleValue(document, `${pointer}/items`);
  return item === undefined ? value : [item];
}

function describeBody(body: RequestBody, world: World): FormBody {
  const { document } = world.contract;
  const stated = findExample(document, { ...body, status: '', headers: [] });
  return {
    required: body.required,
    description: document.textAt(`${body.pointer}/description`),
    contents: body.content.map((content) => describeContent(content, stated?.value, world)),
  };
}

function describeContent(content: Content, stated: unknown, { contract: { document } }: World): FormContent {
  const { mediaType, schemaPointer } = content;
  const value =
    stated ?? (schemaPointer === undefined ? undefined : sampleValue(document, schemaPointer, { without: 'readOnly' }));
  const fields = schemaPointer === undefined ? [] : listFields(document, schemaPointer);
  if (mediaType === FORM || mediaType === MULTIPART) {
    const form = writeForm(asObject(value), content);
    return { mediaType: form.mediaType, example: form.text, fields };
  }
  const text =
    value === undefined ? '' : typeof value === 'string' && !mediaType.includes('json') ? value : printJson(value);
  return { mediaType, example: text, fields };
}
