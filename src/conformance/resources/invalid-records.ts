// Records that differ in one respect from one that the contract allows, so that a rejection has no other reason.
import type { Contract } from '../../contract/contract.js';
import { asList, asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { readProperties } from '../../contract/operations/properties.js';
import { readOnce } from '../../contract/document/document.js';
import { escape } from '../http/template.js';
import type { Binding } from './instance.js';
import { describeBadValue, listBadValues, type BadValue } from './field-values.js';
import { isInvalid, isOwnText, UNIQUE_LENGTH } from './fit-record.js';
import { readField, type Field, type RecordTemplate } from './resource-under-test.js';

export type InvalidRecord = {
  id: string;
  words: string; // The difference in words, to follow `a pet`.
  field: string;
  path: string; // The member within it that does: `address.zip`.
  record: RecordTemplate;
};

/** How many a run sends to one create: a request each. */
export const MOST_INVALID = 150;

export const listInvalid = readOnce(({ subject, made, contract }: Binding): InvalidRecord[] => {
  const { create } = subject.roles;
  if (create === undefined) return [];
  const { plain, full } = made;
  const of = <Of extends object>(whole: Of, cases: readonly Change[]): (Of & Change)[] =>
    cases.map((each) => Object.assign({}, whole, each));
  const ofFirst = subject.fields
    .filter(({ name }) => Object.hasOwn(plain, name))
    .flatMap((each) => of({ field: each.name, plain, full }, listBreaks(each, plain[each.name], contract)));
  const ofKinds = made.kinds.flatMap((kind) =>
    subject.fields
      .filter(({ name }) => Object.hasOwn(kind.plain, name) && !Object.hasOwn(plain, name))
      .flatMap((field) => {
        const all = listCases({ ...field, required: true }, kind.plain[field.name], contract);
        return of({ field: field.name, ...kind }, [...all.slice(0, 1), ...all.slice(1).slice(-1)]);
      }),
  );
  const seen = new Set<string>();
  return [...ofFirst, { ...UNKNOWN_FIELD, plain, full }, ...ofKinds]
    .filter(({ change, plain: valid }) => isInvalid(change(valid), create, contract))
    .map(({ id: own, words, path, field, change, full: valid }) => {
      const id = own.replaceAll(/[^\w.-]+/g, '-');
      return { id, words, field, path, record: change(valid) };
    })
    .filter(({ id }) => !seen.has(id) && seen.add(id));
});

/** As many as a run spends on one operation, in their order: of each field the first, then of each the second. */
export function spend<T extends Pick<InvalidRecord, 'id' | 'path'>>(rows: readonly T[], budget: number): T[] {
  // Whether a service looks at types, the first few show: what else a schema says comes before.
  const isOfType = ({ id }: T): boolean => /-that-is-(?:null|a-number|an-object|a-text|a-word)$/.test(id);
  const kindOf = (row: T): string => (isOfType(row) ? `${row.path} type` : row.path);
  const turns = takeTurns(rows, kindOf, (turn, row) => (isOfType(row) ? turn * 3 + 2 : turn));
  const first = new Set(turns.slice(0, budget));
  return rows.filter((row) => first.has(row));
}

/** The first of each kind, then the second of each, otherwise in their order. */
export function takeTurns<T>(
  all: readonly T[],
  kindOf: (each: T) => string,
  place: (turn: number, each: T) => number = (turn) => turn,
): T[] {
  const turns = new Map<string, number>();
  const placed = all.map((each) => {
    const turn = turns.get(kindOf(each)) ?? 0;
    turns.set(kindOf(each), turn + 1);
    return { each, turn: place(turn, each) };
  });
  return placed.toSorted((one, other) => one.turn - other.turn).map(({ each }) => each);
}

type Change = { id: string; words: string; path: string; change: (record: RecordTemplate) => RecordTemplate };

export const UNKNOWN_FIELD = {
  id: 'with-a-field-that-there-is-not',
  words: 'with a field that the contract does not allow',
  field: 'noSuchField',
  path: 'noSuchField',
  change: (record: RecordTemplate): RecordTemplate => ({ ...record, noSuchField: 'text' }),
};

function listBreaks(field: Field, own: unknown, contract: Contract, depth = 1): Change[] {
  const { name, type, schemaPointer } = field;
  const cases = listCases(field, own, contract);
  if (depth > 5) return cases;
  const rules = listRuleBreaks(own, schemaPointer, contract).map(({ rule, change }) => {
    const put: Change['change'] = (record) => ({ ...record, ...escape({ [name]: change(own) }) });
    const words = `whose \`${name}\` breaks \`${rule}\``;
    return { id: `${name}-that-breaks-${rule}`, words, path: name, change: put };
  });
  if (type === 'array') return [...cases, ...listItemCases(field, own, contract, depth), ...rules];
  if (type !== 'object') return [...cases, ...rules];
  const inside = [UNKNOWN_FIELD, ...listInside(schemaPointer, asObject(own), contract, depth)];
  const within = inside.map(({ id, words, path, change }) => {
    const put: Change['change'] = (record) => ({ ...record, [name]: change(asObject(record[name])) });
    return { id: `${name}.${id}`, words: `with a \`${name}\` ${words}`, path: `${name}.${path}`, change: put };
  });
  return [...cases, ...within, ...rules];
}

function listCases(field: Field, own: unknown, contract: Contract): Change[] {
  const { name, required } = field;
  const leaveOut = ({ [name]: _left, ...rest }: RecordTemplate): RecordTemplate => rest;
  return [
    ...(required ? [{ id: `without-${name}`, words: `without \`${name}\``, path: name, change: leaveOut }] : []),
    ...listBad(field, own, contract).map(({ id, value }) => {
      const change: Change['change'] = (record) => ({ ...record, [name]: markOwn(escape(value), record[name]) });
      return { id: `${name}-${id}`, words: `whose \`${name}\` ${describeBadValue(id)}`, path: name, change };
    }),
  ];
}

function listBad(field: Field, own: unknown, { document, validate }: Contract): BadValue[] {
  const { pointer, value: schema } = resolveAt(document, field.schemaPointer);
  const items = asObject(schema)['items'] !== undefined ? asObject(resolveAt(document, `${pointer}/items`).value) : {};
  return listBadValues(field, own, items).map(({ id, value, others = [] }) => {
    const counted = [value, ...others].map((each) => {
      const broken = validate.value(field.schemaPointer, each);
      return { each, broken: broken.reduce((sum, { more = 0 }) => sum + 1 + more, 0) };
    });
    const [best] = counted.filter(({ broken }) => broken > 0).toSorted((one, other) => one.broken - other.broken);
    return { id, value: best === undefined ? value : best.each };
  });
}

function markOwn(value: unknown, own: unknown): unknown {
  const isFilling = typeof value === 'string' && /^x+$/.test(value) && value.length > UNIQUE_LENGTH;
  return isFilling && isOwnText(own) ? `{$unique}${value.slice(UNIQUE_LENGTH)}` : value;
}

function listInside(schemaPointer: string, own: RecordTemplate, contract: Contract, depth: number): Change[] {
  const fields = readProperties(contract.document, schemaPointer).map((each) => readField(each, contract.document));
  return fields
    .filter((each) => Object.hasOwn(own, each.name) && each.schema['readOnly'] !== true)
    .flatMap((each) => listBreaks(each, own[each.name], contract, depth + 1));
}

function listItemCases(field: Field, own: unknown, contract: Contract, depth: number): Change[] {
  const { name, schema, schemaPointer } = field;
  const { pointer, value } = resolveAt(contract.document, schemaPointer);
  if (!Array.isArray(own) || own.length === 0 || asObject(value)['items'] === undefined) return [];
  const item = readField({ name: 'item', required: false, schemaPointer: `${pointer}/items` }, contract.document);
  const [first] = own as unknown[];
  const isObject = item.type === 'object';
  const within = isObject ? [UNKNOWN_FIELD, ...listInside(item.schemaPointer, asObject(first), contract, depth)] : [];
  const cases = [
    ...listBad(item, first, contract).map(({ id, value: wrong }) => {
      return { id, words: `that ${describeBadValue(id)}`, path: '*', corrupt: (): unknown => wrong };
    }),
    ...within.map(({ id, words, path, change }) => {
      return { id, words, path: `*.${path}`, corrupt: (each: unknown): unknown => change(asObject(each)) };
    }),
  ];
  // After an item that breaks nothing, since a service may look at the first alone.
  const isBehind = Number(schema['maxItems'] ?? 2) > 1;
  return cases.map(({ id, words, path, corrupt }) => ({
    id: `${name}-with-an-item-${id}`,
    words: `whose \`${name}\` has an item ${words}`,
    path: `${name}.${path}`,
    change: (record) => {
      const [valid = first] = asList(record[name]);
      return { ...record, [name]: [...(isBehind ? [valid] : []), corrupt(valid)] };
    },
  }));
}

// Values that break one rule of a schema, found by trying: of each rule, the first change that breaks it and nothing else.

const RULES =
  'patternProperties propertyNames additionalProperties dependentRequired dependentSchemas minProperties maxProperties contains const oneOf anyOf not then else';

type RuleBreak = { rule: string; change: (own: unknown) => unknown };

export function listRuleBreaks(own: unknown, schemaPointer: string, contract: Contract): RuleBreak[] {
  const within = resolveAt(contract.document, schemaPointer).pointer;
  const tried = listChanges(own).map((change) => ({
    change,
    broken: contract.validate.value(schemaPointer, change(own)).map(({ rule, contract: { pointer } }) => {
      return (rule + (pointer.startsWith(within) ? pointer.slice(within.length) : '')).split('/');
    }),
  }));
  return RULES.split(' ').flatMap((rule) => {
    const found = tried.find(({ broken }) => broken.length > 0 && broken.every((names) => names.includes(rule)));
    return found === undefined ? [] : [{ rule, change: found.change }];
  });
}

const OTHERS: readonly unknown[] = [48_151_623, 'no-such-value', true, {}];

function listChanges(own: unknown): RuleBreak['change'][] {
  if (Array.isArray(own)) {
    const replaced = OTHERS.map((other) => (value: unknown) => asList(value).map(() => other));
    return [() => [], ...replaced, (value) => asList(value).flatMap((item) => [item, item])];
  }
  if (typeof own !== 'object' || own === null) return OTHERS.map((other) => () => other);
  const names = Object.keys(own);
  const set = (name: string, other: unknown) => (value: unknown) => ({ ...(value as object), [name]: other });
  const remove = (name: string) => (value: unknown) =>
    Object.fromEntries(Object.entries(value as object).filter(([each]) => each !== name));
  const more = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field${at}`, 'text']));
  return [
    ...names.map(remove),
    () => ({}),
    ...['noSuchField', '~ no fit ~'].map((name) => set(name, 'text')),
    ...names.flatMap((name) => OTHERS.map((other) => set(name, other))),
    (value) => ({ ...(value as object), ...more }),
  ];
}
