import type { Contract } from './contract.js';
import { escapePointer, type SourceDocument } from './document.js';
import { printJson } from './json.js';
import type { Operation, Parameter } from './operations.js';
import type { ParameterReading, ParameterValues } from './parameters.js';
import { resolveAt } from './references.js';
import type { Violation } from './violation.js';

/** What a part of the contract is. */
export type CoverageKind = 'operation' | 'status' | 'parameter' | 'bound' | 'enum' | 'rule';

/** One thing that the contract states and that exchanges can exercise. */
export interface CoverageItem {
  /** Stable: `listPets answers 200`, `listPets is sent query/limit = 100`, `createPet is sent body/name against its required`. */
  id: string;
  kind: CoverageKind;
  /** JSON Pointer into the contract. */
  pointer: string;
}

/** Which parts of the contract a set of exchanges exercised. */
export interface Coverage {
  total: number;
  covered: number;
  /** In the order of the contract. */
  missing: CoverageItem[];
}

/** What coverage wants to know of an exchange. */
export interface CoveredExchange {
  operation: Operation;
  status: number;
  parameters: Pick<ParameterReading, 'path' | 'query'>;
  /** The request's JSON body; `undefined` when it had none. */
  body: unknown;
  /** What the request breaks. */
  violations: readonly Violation[];
}

/** Collects what exchanges exercise. */
export interface CoverageRecorder {
  add(exchange: CoveredExchange): void;
  summarize(): Coverage;
}

/** Operations, their documented statuses, parameters, bounds and enum values, and the rules that a request can break. */
export function createCoverage(contract: Contract): CoverageRecorder {
  const items = contract.operations.flatMap((operation) => listItems(contract.document, operation));
  const seen = new Set<string>();
  return {
    add(exchange) {
      for (const id of listExercised(exchange)) seen.add(id);
    },
    summarize() {
      const missing = items.filter(({ id }) => !seen.has(id));
      return { total: items.length, covered: items.length - missing.length, missing };
    },
  };
}

/** A place in a request to which a schema applies. */
interface Place {
  /** `query/limit`, `body/status` */
  at: string;
  schemaPointer: string;
}

function listItems(document: SourceDocument, operation: Operation): CoverageItem[] {
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

/** Parameters, and the properties of the body at its top. */
function listPlaces(document: SourceDocument, operation: Operation): Place[] {
  const parameters = operation.parameters.map((parameter) => ({
    at: nameOf(parameter),
    schemaPointer: parameter.schemaPointer,
  }));
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

/** The values that stand out: each of an enumeration, and each bound itself. */
function listValues(document: SourceDocument, { id }: Operation, { at, schemaPointer }: Place): CoverageItem[] {
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

/** Keywords that a request can break by what it sends. */
const RULES = ['type', 'format', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'];

function listRules(document: SourceDocument, { id }: Operation, { at, schemaPointer }: Place): CoverageItem[] {
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
      // Whatever stands in a path or a query is a text.
      .filter((rule) => !(rule === 'type' && isText && !at.startsWith('body')))
      .map((rule): CoverageItem => ({ id: breach(id, rule, at), kind: 'rule', pointer: `${pointer}/${rule}` })),
  ];
}

/** What an exchange exercises; some of it may be no item. */
function listExercised({ operation, status, parameters, body, violations }: CoveredExchange): string[] {
  const { id } = operation;
  const values: Record<string, ParameterValues> = { path: parameters.path, query: parameters.query };
  const sent = operation.parameters.flatMap((parameter): [string, unknown][] => {
    const value = values[parameter.in]?.[parameter.name];
    return value === undefined ? [] : [[nameOf(parameter), value]];
  });
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : [];
  const inBody = fields.map(([name, value]): [string, unknown] => [`body/${name}`, value]);
  return [
    `${id} is called`,
    `${id} answers ${status}`,
    ...sent.map(([at]) => `${id} is sent ${at}`),
    ...[...sent, ...inBody].map(([at, value]) => exercise(id, at, value)),
    ...violations.map(({ rule, at }) => breach(id, rule, at)),
  ];
}

function nameOf(parameter: Parameter): string {
  return `${parameter.in}/${parameter.name}`;
}

function exercise(operationId: string, at: string, value: unknown): string {
  return `${operationId} is sent ${at} = ${printJson(value)}`;
}

function breach(operationId: string, rule: string, at: string): string {
  return `${operationId} is sent ${at} against its ${rule}`;
}
