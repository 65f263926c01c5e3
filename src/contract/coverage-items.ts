import { escapePointer, type SourceDocument } from './document/document.js';
import { printJson } from './document/json.js';
import { resolveAt } from './document/references.js';
import type { Operation, Parameter } from './model.js';

/** The kind of a part of the contract. */
export type CoverageKind = 'operation' | 'status' | 'parameter' | 'bound' | 'enum' | 'rule';

/** One thing that the contract states and that exchanges can exercise. */
export interface CoverageItem {
  /** Stable: `listPets answers 200`, `listPets is sent query/limit = 100`, `createPet is sent body/name against its required`. */
  id: string;
  kind: CoverageKind;
  /** JSON Pointer into the contract. */
  pointer: string;
}

/** A place in a request to which a schema applies. */
export interface SchemaPlace {
  /** `query/limit`, `body/status` */
  at: string;
  schemaPointer: string;
}

/** Everything that the contract states about an operation, in its order. */
export function listItems(document: SourceDocument, operation: Operation): CoverageItem[] {
  const { id, pointer } = operation;
  const statuses = operation.responses.filter(({ status }) => /^\d+$/.test(status));
  const places = listPlaces(document, operation);
  return [
    { id: `${id} is called`, kind: 'operation', pointer },
    ...statuses.map((response): CoverageItem => ({
      id: `${id} answers ${response.status}`,
      kind: 'status',
      pointer: response.pointer,
    })),
    ...operation.parameters.map((parameter): CoverageItem => ({
      id: `${id} is sent ${nameOf(parameter)}`,
      kind: 'parameter',
      pointer: parameter.pointer,
    })),
    ...places.flatMap((place) => listValues(document, operation, place)),
    ...places.flatMap((place) => listRules(document, operation, place)),
  ];
}

/** The parameters, and the top-level properties of the body. */
export function listPlaces(document: SourceDocument, operation: Operation): SchemaPlace[] {
  const parameters = operation.parameters.flatMap((parameter) => {
    const { schemaPointer } = parameter;
    return schemaPointer === undefined ? [] : [{ at: nameOf(parameter), schemaPointer }];
  });
  const [content] = operation.requestBody?.content ?? [];
  if (content?.schemaPointer === undefined) return parameters;
  const { pointer, value } = resolveAt(document, content.schemaPointer);
  const properties = Object.keys((value as { properties?: object } | undefined)?.properties ?? {});
  const inBody = properties.map((name) => ({
    at: `body/${name}`,
    schemaPointer: `${pointer}/properties/${escapePointer(name)}`,
  }));
  return [...parameters, { at: 'body', schemaPointer: pointer }, ...inBody];
}

/** The values worth counting: each value of an enumeration, and each bound itself. */
function listValues(document: SourceDocument, { id }: Operation, { at, schemaPointer }: SchemaPlace): CoverageItem[] {
  const { value, pointer } = resolveAt(document, schemaPointer);
  const schema = (value ?? {}) as Record<string, unknown>;
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : [];
  const bounds = ['minimum', 'maximum'].filter((bound) => schema[bound] !== undefined);
  return [
    ...values.map((each, index): CoverageItem => ({
      id: exercise(id, at, each),
      kind: 'enum',
      pointer: `${pointer}/enum/${index}`,
    })),
    ...bounds.map((bound): CoverageItem => ({
      id: exercise(id, at, schema[bound]),
      kind: 'bound',
      pointer: `${pointer}/${bound}`,
    })),
  ];
}

/** {@link listValues}, without their names. */
export function listStandouts(schema: Readonly<Record<string, unknown>>): unknown[] {
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : [];
  const bounds = [schema['minimum'], schema['maximum']].filter((bound) => bound !== undefined);
  return [...values, ...bounds];
}

/** Keywords that a request can violate. */
const RULES = ['type', 'format', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'];

function listRules(document: SourceDocument, { id }: Operation, { at, schemaPointer }: SchemaPlace): CoverageItem[] {
  const { value, pointer } = resolveAt(document, schemaPointer);
  const schema = (value ?? {}) as Record<string, unknown>;
  const required = Array.isArray(schema['required']) ? (schema['required'] as string[]) : [];
  const isText = schema['type'] === 'string';
  return [
    ...required.map((name): CoverageItem => ({
      id: breach(id, 'required', `${at}/${name}`),
      kind: 'rule',
      pointer: `${pointer}/required`,
    })),
    ...RULES.filter((rule) => schema[rule] !== undefined)
      // Everything in a path or a query is a text.
      .filter((rule) => !(rule === 'type' && isText && !at.startsWith('body')))
      .map((rule): CoverageItem => ({ id: breach(id, rule, at), kind: 'rule', pointer: `${pointer}/${rule}` })),
  ];
}

function nameOf(parameter: Parameter): string {
  return `${parameter.in}/${parameter.name}`;
}

/** The id of a value that a request sends. */
export function exercise(operationId: string, at: string, value: unknown): string {
  return `${operationId} is sent ${at} = ${printJson(value)}`;
}

/** The id of a rule that a request breaks. */
export function breach(operationId: string, rule: string, at: string): string {
  return `${operationId} is sent ${at} against its ${rule}`;
}
