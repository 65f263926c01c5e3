// Records that differ in one respect from one that the contract allows, so that a refusal has no other reason.
import type { Contract } from '../../../contract/contract.js';
import type { SourceDocument } from '../../../contract/document/document.js';
import { asList, asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { readProperties } from '../../../contract/operations/properties.js';
import { readOnce } from '../../../contract/read-once.js';
import { describeBadValue, listBadValues } from './bad-values.js';
import { listRuleBreaks } from './broken-rules.js';
import { escape } from '../../scenarios/template.js';
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
  record: RecordTemplate;
}

/** Further fields are assumed to behave like these. */
const MOST_FIELDS = 25;

/** How many of the fields within a field are tried. */
const MOST_WITHIN = 16;

/** Every way in which one field can break the contract, judged by the contract itself. */
export const listInvalid = readOnce((source: TableSource): InvalidRecord[] => {
  const {
    subject,
    made: { plain, full },
    contract,
  } = source;
  const { create } = subject.roles;
  if (create === undefined) return [];
  const isRefused = (record: RecordTemplate): boolean => isInvalid(record, create, contract);
  const fields = subject.fields.filter(({ name }) => Object.hasOwn(plain, name)).slice(0, MOST_FIELDS);
  const cases = fields.flatMap((field) => {
    const own = listCases(field, plain[field.name]);
    const within = listWithin(field, plain[field.name], contract).slice(0, MOST_WITHIN);
    return [...own, ...within, ...listBroken(field, plain[field.name], contract)].map((each) =>
      Object.assign({ field: field.name }, each),
    );
  });
  const ofFirst = [...cases, UNKNOWN_FIELD].map((each) => Object.assign({ plain, full }, each));
  return [...ofFirst, ...listOfKinds(source)]
    .filter(({ change, plain: valid }) => isRefused(change(valid)))
    .map(({ id, words, field, change, full: valid }) => ({
      id: id.replaceAll(/[^\w.-]+/g, '-'),
      words,
      field,
      record: change(valid),
    }));
});

interface KindCase extends Change {
  field: string;
  plain: RecordTemplate;
  full: RecordTemplate;
}

/** What only another kind of record has, left out or with the value that says most of it. */
function listOfKinds({ subject, made }: TableSource): KindCase[] {
  return made.kinds.flatMap(({ plain, full }) =>
    subject.fields
      .filter(({ name }) => Object.hasOwn(plain, name) && !Object.hasOwn(made.plain, name))
      .flatMap((field) => {
        const [missing, ...wrong] = listCases({ ...field, required: true }, plain[field.name]);
        const cases = [...(missing === undefined ? [] : [missing]), ...wrong.slice(-1)];
        return cases.map((each) => Object.assign({ field: field.name, plain, full }, each));
      }),
  );
}

interface Change {
  id: string;
  words: string;
  change: (record: RecordTemplate) => RecordTemplate;
}

const UNKNOWN_FIELD = {
  id: 'with-a-field-that-there-is-not',
  words: 'with a field that the contract does not let it have',
  field: 'noSuchField',
  change: (record: RecordTemplate): RecordTemplate => ({ ...record, noSuchField: 'text' }),
};

function listCases(field: Field, own: unknown): Change[] {
  const { name, required } = field;
  const leaveOut = ({ [name]: _left, ...rest }: RecordTemplate): RecordTemplate => rest;
  return [
    ...(required ? [{ id: `without-${name}`, words: `without \`${name}\``, change: leaveOut }] : []),
    ...listBadValues(field, own).map(({ id, value }) => ({
      id: `${name}-${id}`,
      words: `whose \`${name}\` ${describeBadValue(id)}`,
      change: (record: RecordTemplate) => ({ ...record, [name]: markOwn(escape(value), record[name]) }),
    })),
  ];
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
    change: (record) => ({ ...record, ...escape({ [name]: change(own) }) }),
  }));
}

/** What is wrong within an object, or with an item of a list. */
function listWithin(field: Field, own: unknown, { document }: Contract): Change[] {
  const { name, type, schemaPointer } = field;
  if (type === 'array') return listItemCases(field, own, document);
  if (type !== 'object') return [];
  const inner = asObject(own);
  const fields = readProperties(document, schemaPointer).map((each) => readField(each, document));
  return fields
    .filter((each) => Object.hasOwn(inner, each.name) && each.schema['readOnly'] !== true)
    .flatMap((each) => listCases(each, inner[each.name]))
    .map(({ id, words, change }) => ({
      id: `${name}.${id}`,
      words: `with a \`${name}\` ${words}`,
      change: (record) => ({ ...record, [name]: change(asObject(record[name])) }),
    }));
}

/** Kinds of defects in an item, and in the fields of one, that show whether the service looks at items. */
const MOST_OF_ITEMS = 4;
const MOST_IN_ITEMS = 6;

function listItemCases(
  { name, schema: { maxItems = 2 }, schemaPointer }: Field,
  own: unknown,
  document: SourceDocument,
): Change[] {
  const { pointer, value } = resolveAt(document, schemaPointer);
  if (!Array.isArray(own) || own.length === 0 || asObject(value)['items'] === undefined) return [];
  const item = readField({ name: 'item', required: false, schemaPointer: `${pointer}/items` }, document);
  const [first] = own as unknown[];
  const bad = listBadValues(item, first).toReversed().slice(0, MOST_OF_ITEMS);
  const cases = [
    ...bad.map(({ id, value: wrong }) => ({ id, words: `that ${describeBadValue(id)}`, spoil: () => wrong })),
    ...listInItem(item, asObject(first), document),
  ];
  // After an item that breaks nothing, since a service may look at the first alone.
  const append = (items: unknown, spoil: Spoil): unknown[] => {
    const [valid = first] = asList(items);
    return [...(Number(maxItems) > 1 ? [valid] : []), spoil(valid)];
  };
  return cases.map(({ id, words, spoil }) => ({
    id: `${name}-with-an-item-${id}`,
    words: `whose \`${name}\` has an item ${words}`,
    change: (record) => ({ ...record, [name]: append(record[name], spoil) }),
  }));
}

type Spoil = (item: unknown) => unknown;

/** Of each field of an item, the defect that says most of it. */
function listInItem(
  item: Field,
  own: RecordTemplate,
  document: SourceDocument,
): { id: string; words: string; spoil: Spoil }[] {
  if (item.type !== 'object') return [];
  const fields = readProperties(document, item.schemaPointer).map((each) => readField(each, document));
  const given = fields.filter(({ name, schema }) => Object.hasOwn(own, name) && schema['readOnly'] !== true);
  const cases = given.map((each) => listCases(each, own[each.name]));
  const missing = cases.flatMap((each) => each.filter(({ id }) => id.startsWith('without-'))).slice(0, 1);
  const last = cases.flatMap((each) => each.slice(-1)).filter((each) => !missing.includes(each));
  return [...missing, UNKNOWN_FIELD, ...last].slice(0, MOST_IN_ITEMS).map(({ id, words, change }) => ({
    id,
    words,
    spoil: (value) => change(asObject(value)),
  }));
}
