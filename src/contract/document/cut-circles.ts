import type { Notes } from './notes.js';
import type { OpenApiNode } from './openapi-nodes.js';
import { asObject } from './plain.js';
import { referenceOf } from './references.js';

type Schema = Record<string, unknown>;

/** A schema that is being looked at, and the keyword by which the next one is a part of it. */
interface Step {
  schema: Schema;
  parts: readonly (readonly [keyword: string, part: Schema])[];
  next: number;
}

/** The keywords by which a schema says something of the same value by others. */
export const IN_PLACE = ['$ref', 'dependentSchemas', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const SINGLE = ['not', 'if', 'then', 'else'];
const ALTERNATIVES = ['anyOf', 'oneOf'];

export interface CutOptions {
  /** The schema to which the `$ref` of another leads. */
  targetOf: (schema: object) => unknown;
  notes: Notes;
}

/**
 * Takes from schemas the references by which they contain themselves for the same value, since judging one would never
 * end (JSON Schema 2020-12 Core, section 9.4.1). Example: of `Pet: {oneOf: [Cat]}` and `Cat: {allOf: [Pet, ...]}`, as
 * many documents have it, `Cat` gets what `Pet` says beside its alternatives. Returns
 * whether there were any.
 */
export function cutCircles(nodes: readonly OpenApiNode[], options: CutOptions): boolean {
  const schemas = nodes.filter(({ type }) => type === 'Schema');
  const cut = new Set<Schema>();
  let before = -1;
  // What replaces a reference may be in another circle.
  while (cut.size > before) {
    before = cut.size;
    const done = new Set<Schema>();
    for (const { value } of schemas) {
      searchFrom(value as Schema, done, options, (circle) => cutOne(circle, cut, schemas, options));
    }
  }
  return cut.size > 0;
}

function searchFrom(start: Schema, done: Set<Schema>, options: CutOptions, onCircle: (circle: Step[]) => void): void {
  if (done.has(start)) return;
  const open = new Map<Schema, number>();
  const steps: Step[] = [];
  const enter = (schema: Schema): void => {
    open.set(schema, steps.length);
    steps.push({ schema, parts: listParts(schema, options), next: 0 });
  };
  enter(start);
  for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
    const part = step.parts[step.next]?.[1];
    if (part === undefined) {
      steps.pop();
      open.delete(step.schema);
      done.add(step.schema);
      const above = steps.at(-1);
      if (above !== undefined) above.next += 1;
      continue;
    }
    const at = open.get(part);
    if (at === undefined && !done.has(part)) {
      enter(part);
      continue;
    }
    if (at !== undefined) onCircle(steps.slice(at));
    step.next += 1;
  }
}

/** What a schema says of the same value by other schemas. */
export function listParts(schema: Schema, { targetOf }: Pick<CutOptions, 'targetOf'>): (readonly [string, Schema])[] {
  const found: [string, unknown][] = [];
  if (referenceOf(schema) !== undefined) found.push(['$ref', targetOf(schema)]);
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list)) for (const each of list as unknown[]) found.push([keyword, each]);
  }
  for (const keyword of SINGLE) found.push([keyword, schema[keyword]]);
  for (const each of Object.values(asObject(schema['dependentSchemas']))) found.push(['dependentSchemas', each]);
  return found.filter((each): each is [string, Schema] => typeof each[1] === 'object' && each[1] !== null);
}

function cutOne(circle: Step[], cut: Set<Schema>, schemas: readonly OpenApiNode[], { notes }: CutOptions): void {
  const keywordOf = (index: number): string => {
    const { parts, next } = circle.at(index % circle.length) as Step;
    return parts[next]?.[0] ?? '';
  };
  const references = [...circle.keys()].filter((index) => keywordOf(index) === '$ref');
  // A circle that was cut elsewhere is none any more.
  if (references.some((index) => cut.has((circle[index] as Step).schema))) return;
  const ofBase = references.find(
    (index) => ALTERNATIVES.includes(keywordOf(index + 1)) && !ALTERNATIVES.includes(keywordOf(index - 1)),
  );
  const index = ofBase ?? references.at(-1) ?? 0;
  const holder = (circle[index] as Step).schema;
  const text = String(holder['$ref']);
  cut.add(holder);
  delete holder['$ref'];
  const where = `${schemas.find(({ value }) => value === holder)?.pointer ?? ''}/$ref`;
  if (ofBase !== undefined) {
    const keyword = keywordOf(index + 1);
    const { [keyword]: _, ...rest } = (circle[(index + 1) % circle.length] as Step).schema;
    if (Object.keys(holder).length === 0) Object.assign(holder, rest);
    else holder['allOf'] = [...((holder['allOf'] as unknown[] | undefined) ?? []), rest];
    notes.add(where, `$ref ${text} refers to a schema that has this one in its ${keyword}; that part is ignored.`);
    return;
  }
  const keyword = keywordOf(index - 1);
  const above = (circle.at((index - 1) % circle.length) as Step).schema;
  const list = above[keyword];
  if (keyword === 'not' || keyword === 'if') delete above[keyword];
  else if (ALTERNATIVES.includes(keyword) && Array.isArray(list)) {
    holder['not'] ??= {};
    if (list.every((each) => cut.has(each as Schema))) delete above[keyword];
  }
  const keywords = [...new Set([...circle.keys()].map(keywordOf))].filter((each) => each !== '$ref').join(', ');
  notes.add(
    where,
    `$ref ${text} refers to the schema that contains it (${keywords}), in an endless circle; it is ignored.`,
  );
}
