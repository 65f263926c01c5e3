// Records that differ in one respect from one that the contract allows, so that a refusal has no other reason.
import type { Contract } from '../../../contract/contract.js';
import { asList, asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { readProperties } from '../../../contract/operations/properties.js';
import { readOnce } from '../../../contract/document/document.js';
import { describeBadValue, listBadValues, type BadValue } from './bad-values.js';
import { escape } from '../../wire/request/template.js';
import type { RecordTemplate } from './made-records.js';
import { isInvalid } from '../request-body.js';
import { readField, type Field } from '../subject.js';
import { isOwnText, UNIQUE_LENGTH } from './unique-texts.js';
import type { TableSource } from '../tables/table-source.js';

/** A row in a table of scenarios. */
export interface InvalidRecord {
  id: string;
  /** The difference in words, to follow `a pet`. */
  words: string;
  /** The field that breaks the contract. */
  field: string;
  /** The member within it that does: `address.zip`. */
  path: string;
  record: RecordTemplate;
}

const OF_TYPE = /-that-is-(?:null|a-number|an-object|a-text|a-word)$/;

/** How many a run sends to one create: a request each. */
export const MOST_INVALID = 150;

/** Every way in which one field can break the contract, at any depth, judged by the contract itself. */
export const listInvalid = readOnce((source: TableSource): InvalidRecord[] => {
  const {
    subject,
    made: { plain, full },
    contract,
  } = source;
  const { create } = subject.roles;
  if (create === undefined) return [];
  const isRefused = (record: RecordTemplate): boolean => isInvalid(record, create, contract);
  const fields = subject.fields.filter(({ name }) => Object.hasOwn(plain, name));
  const cases = fields.flatMap((field) =>
    listBreaks(field, plain[field.name], contract).map((each) => Object.assign({ field: field.name }, each)),
  );
  const ofFirst = [...cases, UNKNOWN_FIELD].map((each) => Object.assign({ plain, full }, each));
  const seen = new Set<string>();
  return [...ofFirst, ...listOfKinds(source)]
    .filter(({ change, plain: valid }) => isRefused(change(valid)))
    .map(({ id, words, path, field, change, full: valid }) => ({
      id: id.replaceAll(/[^\w.-]+/g, '-'),
      words,
      field,
      path,
      record: change(valid),
    }))
    .filter(({ id }) => !seen.has(id) && seen.add(id));
});

/**
 * As many as a run spends on one operation: of each field the first, then of each the second, so that none is left out for
 * another. In their order.
 */
export function spend<T extends Pick<InvalidRecord, 'id' | 'path'>>(rows: readonly T[], budget: number): T[] {
  const turns = new Map<string, number>();
  const placed = rows.map((row, index) => {
    // Whether a service looks at types, the first few show: what else a schema says comes before.
    const kind = OF_TYPE.test(row.id) ? `${row.path} type` : row.path;
    const turn = turns.get(kind) ?? 0;
    turns.set(kind, turn + 1);
    return { row, turn: kind === row.path ? turn : turn * 3 + 2, index };
  });
  const kept = placed.toSorted((one, other) => one.turn - other.turn).slice(0, budget);
  return kept.toSorted((one, other) => one.index - other.index).map(({ row }) => row);
}

interface KindCase extends Change {
  field: string;
  plain: RecordTemplate;
  full: RecordTemplate;
}

/** What only another kind of record has, left out or with the value that says most of it. */
function listOfKinds({ subject, made, contract }: TableSource): KindCase[] {
  return made.kinds.flatMap(({ plain, full }) =>
    subject.fields
      .filter(({ name }) => Object.hasOwn(plain, name) && !Object.hasOwn(made.plain, name))
      .flatMap((field) => {
        const [missing, ...wrong] = listCases({ ...field, required: true }, plain[field.name], contract);
        const cases = [...(missing === undefined ? [] : [missing]), ...wrong.slice(-1)];
        return cases.map((each) => Object.assign({ field: field.name, plain, full }, each));
      }),
  );
}

interface Change {
  id: string;
  words: string;
  path: string;
  change: (record: RecordTemplate) => RecordTemplate;
}

const UNKNOWN_FIELD = {
  id: 'with-a-field-that-there-is-not',
  words: 'with a field that the contract does not allow',
  field: 'noSuchField',
  path: 'noSuchField',
  change: (record: RecordTemplate): RecordTemplate => ({ ...record, noSuchField: 'text' }),
};

/** How deep within a record its members are looked at: deeper ones are often the same schema again. */
const DEEPEST = 5;

/** All that can be wrong with a field: itself, what is within it, and the rules that are of no one member. */
function listBreaks(field: Field, own: unknown, contract: Contract, depth = 1): Change[] {
  const cases = listCases(field, own, contract);
  if (depth > DEEPEST) return cases;
  return [...cases, ...listWithin(field, own, contract, depth), ...listBroken(field, own, contract)];
}

function listCases(field: Field, own: unknown, contract: Contract): Change[] {
  const { name, required } = field;
  const leaveOut = ({ [name]: _left, ...rest }: RecordTemplate): RecordTemplate => rest;
  return [
    ...(required ? [{ id: `without-${name}`, words: `without \`${name}\``, path: name, change: leaveOut }] : []),
    ...listBad(field, own, contract).map(({ id, value }) => ({
      id: `${name}-${id}`,
      words: `whose \`${name}\` ${describeBadValue(id)}`,
      path: name,
      change: (record: RecordTemplate) => ({ ...record, [name]: markOwn(escape(value), record[name]) }),
    })),
  ];
}

/** Of the values that break a rule, the one that breaks fewest others. */
function listBad(field: Field, own: unknown, { document, validate }: Contract): BadValue[] {
  const { pointer, value: schema } = resolveAt(document, field.schemaPointer);
  const hasItems = asObject(schema)['items'] !== undefined;
  const items = hasItems ? asObject(resolveAt(document, `${pointer}/items`).value) : {};
  const asked = listBadValues(field, own, items);
  return asked.map(({ id, value, others = [] }) => {
    const counted = [value, ...others].map((each) => ({ each, broken: countBroken(each, field, validate) }));
    const [best] = counted.filter(({ broken }) => broken > 0).toSorted((one, other) => one.broken - other.broken);
    return { id, value: best === undefined ? value : best.each };
  });
}

function countBroken(value: unknown, { schemaPointer }: Field, validate: Contract['validate']): number {
  return validate.value(schemaPointer, value).reduce((sum, { more = 0 }) => sum + 1 + more, 0);
}

/** By its text, a record is known again that is kept although it was refused. */
function markOwn(value: unknown, own: unknown): unknown {
  const isFilling = typeof value === 'string' && /^x+$/.test(value) && value.length > UNIQUE_LENGTH;
  return isFilling && isOwnText(own) ? `{$unique}${value.slice(UNIQUE_LENGTH)}` : value;
}

/** What breaks a rule of a field that {@link listBadValues} has no value for. */
function listBroken({ name, schemaPointer }: Field, own: unknown, contract: Contract): Change[] {
  return listRuleBreaks(own, schemaPointer, contract).map(({ rule, change }) => ({
    id: `${name}-that-breaks-${rule}`,
    words: `whose \`${name}\` breaks \`${rule}\``,
    path: name,
    change: (record) => ({ ...record, ...escape({ [name]: change(own) }) }),
  }));
}

/** What is wrong within an object, or with an item of a list. */
function listWithin(field: Field, own: unknown, contract: Contract, depth: number): Change[] {
  const { name, type, schemaPointer } = field;
  if (type === 'array') return listItemCases(field, own, contract, depth);
  if (type !== 'object') return [];
  const inside = [UNKNOWN_FIELD, ...listInside(schemaPointer, asObject(own), contract, depth)];
  return inside.map(({ id, words, path, change }) => ({
    id: `${name}.${id}`,
    words: `with a \`${name}\` ${words}`,
    path: `${name}.${path}`,
    change: (record) => ({ ...record, [name]: change(asObject(record[name])) }),
  }));
}

/** Of each member that an object has. */
function listInside(schemaPointer: string, own: RecordTemplate, contract: Contract, depth: number): Change[] {
  const fields = readProperties(contract.document, schemaPointer).map((each) => readField(each, contract.document));
  return fields
    .filter((each) => Object.hasOwn(own, each.name) && each.schema['readOnly'] !== true)
    .flatMap((each) => listBreaks(each, own[each.name], contract, depth + 1));
}

function listItemCases(
  { name, schema: { maxItems = 2 }, schemaPointer }: Field,
  own: unknown,
  contract: Contract,
  depth: number,
): Change[] {
  const { pointer, value } = resolveAt(contract.document, schemaPointer);
  if (!Array.isArray(own) || own.length === 0 || asObject(value)['items'] === undefined) return [];
  const item = readField({ name: 'item', required: false, schemaPointer: `${pointer}/items` }, contract.document);
  const [first] = own as unknown[];
  const within = item.type === 'object' ? listInside(item.schemaPointer, asObject(first), contract, depth) : [];
  const cases = [
    ...listBad(item, first, contract).map(({ id, value: wrong }) => ({
      id,
      words: `that ${describeBadValue(id)}`,
      path: '*',
      spoil: (): unknown => wrong,
    })),
    ...(item.type === 'object' ? [UNKNOWN_FIELD, ...within] : []).map(({ id, words, path, change }) => ({
      id,
      words,
      path: `*.${path}`,
      spoil: (each: unknown): unknown => change(asObject(each)),
    })),
  ];
  // After an item that breaks nothing, since a service may look at the first alone.
  const append = (items: unknown, spoil: (item: unknown) => unknown): unknown[] => {
    const [valid = first] = asList(items);
    return [...(Number(maxItems) > 1 ? [valid] : []), spoil(valid)];
  };
  return cases.map(({ id, words, path, spoil }) => ({
    id: `${name}-with-an-item-${id}`,
    words: `whose \`${name}\` has an item ${words}`,
    path: `${name}.${path}`,
    change: (record) => ({ ...record, [name]: append(record[name], spoil) }),
  }));
}

// Values that break one rule of a schema, found by trying: of each rule, the first change that breaks it and nothing else.

type Value = unknown;

/** The rules that are not of a type, a bound or a list of values, each of which has values of its own. */
const RULES = [
  'patternProperties',
  'propertyNames',
  'additionalProperties',
  'dependentRequired',
  'dependentSchemas',
  'minProperties',
  'maxProperties',
  'contains',
  'const',
  'oneOf',
  'anyOf',
  'not',
  'then',
  'else',
] as const;

interface RuleBreak {
  rule: string;
  change: (own: Value) => Value;
}

/** `own` is a value that the schema at the pointer allows. */
export function listRuleBreaks(own: Value, schemaPointer: string, contract: Contract): RuleBreak[] {
  const within = resolveAt(contract.document, schemaPointer).pointer;
  const tried = listChanges(own).map((change) => ({
    change,
    broken: contract.validate
      .value(schemaPointer, change(own))
      .map(
        ({ rule, contract: { pointer } }) => rule + (pointer.startsWith(within) ? pointer.slice(within.length) : ''),
      ),
  }));
  return RULES.flatMap((rule) => {
    const found = tried.find(
      ({ broken }) => broken.length > 0 && broken.every((names) => names.split('/').includes(rule)),
    );
    return found === undefined ? [] : [{ rule, change: found.change }];
  });
}

const OTHERS: readonly Value[] = [48_151_623, 'no-such-value', true, {}];
const STRANGERS = ['noSuchField', '~ no fit ~'];

function listChanges(own: Value): ((value: Value) => Value)[] {
  if (Array.isArray(own)) {
    const replaced = OTHERS.map((other) => (value: Value) => (value as Value[]).map(() => other));
    return [() => [], ...replaced, (value) => (value as Value[]).flatMap((item) => [item, item])];
  }
  if (typeof own !== 'object' || own === null) return OTHERS.map((other) => () => other);
  const names = Object.keys(own);
  const set = (name: string, other: Value) => (value: Value) => ({ ...(value as object), [name]: other });
  return [
    ...names.map(
      (name) => (value: Value) => Object.fromEntries(Object.entries(value as object).filter(([each]) => each !== name)),
    ),
    () => ({}),
    ...STRANGERS.map((name) => set(name, 'text')),
    ...names.flatMap((name) => OTHERS.map((other) => set(name, other))),
    (value) => ({
      ...(value as object),
      ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field${at}`, 'text'])),
    }),
  ];
}
