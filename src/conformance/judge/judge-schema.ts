import { asList } from '../../contract/document/plain.js';
import type { Given, Mistake } from './keyword.js';
import { isRecord, show, type JsonObject } from './shown.js';
import { compile, impliedKinds, type Kind } from './match-schema.js';
import { listReferences } from '../http/template.js';

/** Keywords of JSON Schema that only inform people. */
const ANNOTATIONS = new Set(['title', 'description', '$comment', 'default', 'examples', 'deprecated']);

/** What is wrong with a value that must be a JSON Schema which can reject a value of a kind. */
export function findBadSchema(
  schema: unknown,
  given: Given,
  kind: 'list' | 'object' | 'text' | undefined,
): Mistake | undefined {
  if (given.isOpen(schema)) return undefined;
  if (!isRecord(schema) && typeof schema !== 'boolean') {
    return { at: '', message: `it must be a JSON Schema, but is ${show(schema)}.` };
  }
  if (schema === true || Object.keys(schema).every((name) => ANNOTATIONS.has(name))) {
    return { at: '', message: `it is the JSON Schema ${show(schema)}, which any value satisfies.` };
  }
  return findWrongKind(schema, kind) ?? findUncompilable(schema, given);
}

const KINDS: Readonly<Record<'list' | 'object' | 'text', Kind>> = { list: 'array', object: 'object', text: 'string' };

function findWrongKind(schema: unknown, kind: keyof typeof KINDS | undefined): Mistake | undefined {
  if (kind === undefined || !isRecord(schema) || schema['type'] !== undefined) return undefined;
  const kinds = impliedKinds(schema);
  const [[first, keyword] = []] = kinds;
  if (first === undefined || keyword === undefined || kinds.has(KINDS[kind])) return undefined;
  const hint = kind === 'list' && first === 'object' ? '; `items` is about each of them' : '';
  return {
    at: `/${keyword}`,
    message: `\`${keyword}\` is about ${PLURALS[first]}, and what it would look at is ${kind === 'object' ? 'an' : 'a'} ${kind}${hint}.`,
  };
}

const PLURALS: Readonly<Record<Kind, string>> = {
  array: 'lists',
  object: 'objects',
  string: 'texts',
  number: 'numbers',
};

/** A schema with references is complete only when they are filled in. */
function findUncompilable(schema: unknown, given: Given): Mistake | undefined {
  if (given.stage === 'file' && listReferences(schema).length > 0) return undefined;
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return { at: '', message: `it is not a JSON Schema: ${(error as Error).message}.` };
  }
}

/** JSON Pointers to what a schema describes and a matching value does not have, so that nothing was checked there. */
export function listUnseen(schema: unknown, value: unknown): string[] {
  return [...unseen(schema, [value], '')];
}

function* unseen(schema: unknown, values: readonly unknown[], at: string): Generator<string> {
  if (!isRecord(schema)) return;
  for (const part of asList(schema['allOf'])) yield* unseen(part, values, at);
  if (isRecord(schema['properties'])) yield* unseenProperties(schema['properties'], values, at);
  const { items } = schema;
  if (!isRecord(items)) return;
  const all = values.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : []));
  if (all.length === 0 && schema['maxItems'] !== 0) yield `${at}/0`;
  else yield* unseen(items, all, `${at}/0`);
}

function* unseenProperties(properties: JsonObject, values: readonly unknown[], at: string): Generator<string> {
  for (const [name, schema] of Object.entries(properties)) {
    // `false` requires its absence.
    if (schema === false) continue;
    const all = values.flatMap((value) => (isRecord(value) && Object.hasOwn(value, name) ? [value[name]] : []));
    if (all.length === 0) yield `${at}/${name}`;
    else yield* unseen(schema, all, `${at}/${name}`);
  }
}
