// Records that differ in one respect from one that the contract allows, so that a refusal has no other reason.
import type { Contract } from '../../../contract/contract.js';
import type { SourceDocument } from '../../../contract/document/document.js';
import { asObject } from '../../../contract/document/plain.js';
import { resolveAt } from '../../../contract/document/references.js';
import { readProperties } from '../../../contract/operations/properties.js';
import { readOnce } from '../../../contract/read-once.js';
import { describeBadValue, listBadValues } from './bad-values.js';
import { listRuleBreaks } from './broken-rules.js';
import { escape } from '../../scenarios/template.js';
import type { RecordTemplate } from './make-records.js';
import { isInvalid } from '../request-body.js';
import { readField, type Field } from '../subject.js';
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
export const listInvalid = readOnce(({ subject, made: { plain, full }, contract }: TableSource): InvalidRecord[] => {
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
  return [...cases, UNKNOWN_FIELD]
    .filter(({ change }) => isRefused(change(plain)))
    .map(({ id, words, field, change }) => ({
      id: id.replaceAll(/[^\w.-]+/g, '-'),
      words,
      field,
      record: change(full),
    }));
});

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
      change: (record: RecordTemplate) => ({ ...record, ...escape({ [name]: value }) }),
    })),
  ];
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

/** Kinds of defects in an item that show whether the service looks at items. */
const MOST_OF_ITEMS = 4;

function listItemCases({ name, schemaPointer }: Field, own: unknown, document: SourceDocument): Change[] {
  const { pointer, value } = resolveAt(document, schemaPointer);
  if (!Array.isArray(own) || own.length === 0 || asObject(value)['items'] === undefined) return [];
  const item = readField({ name: 'item', required: false, schemaPointer: `${pointer}/items` }, document);
  const bad = listBadValues(item, own[0]).toReversed().slice(0, MOST_OF_ITEMS);
  return bad.map(({ id, value: wrong }) => ({
    id: `${name}-with-an-item-${id}`,
    words: `whose \`${name}\` has an item that ${describeBadValue(id)}`,
    change: (record) => ({ ...record, ...escape({ [name]: [wrong] }) }),
  }));
}
