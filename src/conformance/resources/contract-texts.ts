// What a contract says in names and words: which values every service takes, and what a list leaves out.
import type { Contract } from '../../contract/contract.js';
import { asList, asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { sameJson } from '../../contract/document/json.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { readProperties } from '../../contract/operations/properties.js';
import { saysDependent } from '../../contract/operations/said-in-words.js';
import { readOnce } from '../../contract/document/document.js';
import { plainName } from '../../contract/resources/words.js';
import type { Invented } from '../model/exchange.js';
import { isOpenTime } from './fit-record.js';
import { findReferred, listForms, readField, readSubjects, type Field, type Subject } from './resource-under-test.js';

/** The fields whose value a service may have a reason of its own to reject (it is no currency, no key of a record): that proves nothing. */
export function listInvented(
  record: Readonly<Record<string, unknown>>,
  { subject, contract }: { subject: Subject; contract: Contract },
): Pick<Invented, 'fields' | 'references' | 'choices'> {
  const subjects = readSubjects(contract);
  const namedInPaths = listNamedInPaths(contract);
  // What is no record's own key and a UUID (RFC 9562) names another record, also where that may stand in its place.
  const isReference = (field: Field): boolean =>
    field.name !== subject.resource.key.property &&
    (isLikeKey(field.name) ||
      listForms(field.schema).some(({ format }) => format === 'uuid') ||
      namedInPaths.has(plainName(field.name)) ||
      findReferred(field, subject, subjects) !== undefined);
  const isMade = (value: unknown): boolean => typeof value === 'string' && /^\{?\$scenarios\./.test(value);
  const open = subject.fields.filter(({ name }) => Object.hasOwn(record, name) && !isMade(record[name]));
  const references = open.filter(isReference).map(({ name }) => name);
  const isSure = (field: Field): boolean => {
    const named = subject.fields
      .filter((each) => each !== field)
      .flatMap(({ name, schema }) => [name].concat(asList(schema['enum']).map(String)));
    return isClosed(field, record[field.name]) && !saysDependent(field.schema, new Set(named));
  };
  const others = open.filter((field) => !references.includes(field.name) && !isSure(field));
  const choices = open.filter(({ schema }) => Array.isArray(schema['enum'])).map(({ name }) => name);
  return { references, choices, fields: [...references, ...others.map(({ name }) => name)] };
}

const listNamedInPaths = readOnce(({ operations }: Contract): ReadonlySet<string> => {
  const names = operations.flatMap(({ path }) => listTemplateNames(path));
  return new Set(names.flatMap((name) => /^(.{2,}?)[_-]?(?:id|uuid|key|slug)$/i.exec(name)?.[1] ?? []).map(plainName));
});

export const isLikeKey = (name: string): boolean => /(?:^|[a-z_-])(?:id|ids|key|uuid)$/i.test(name);

const FREE = /^(?:description|notes|note|comment|comments|text|body|message|summary|bio|about|content|remark|remarks)$/;

export const isFreeText = (name: string): boolean => FREE.test(plainName(name));

function isClosed({ name, type, schema }: Field, value: unknown): boolean {
  if (Array.isArray(schema['enum']) || schema['const'] !== undefined || type === 'boolean') return true;
  const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
  const isFraction = (each: unknown): boolean => typeof each === 'number' && !Number.isInteger(each);
  if (isFraction(value)) {
    // Many a contract says `number` of what is counted in whole ones.
    const values = [...bounds, 'multipleOf', 'example', 'default'].map((rule) => schema[rule]);
    return schema['format'] !== undefined || [...values, ...asList(schema['examples'])].some(isFraction);
  }
  if (type === 'integer' || type === 'number')
    return [...bounds, 'example', 'examples', 'default'].some((rule) => schema[rule] !== undefined);
  // A booking may have to lie ahead, a birthday behind; an example lay so when it was written.
  if (type !== 'string' || isOpenTime({ schema }) || /^date(?:-time)?$/.test(String(schema['format']))) return false;
  const shown = [schema['example'], ...asList(schema['examples']), schema['default']];
  return isFreeText(name) || shown.some((each) => each !== undefined && sameJson(each, value));
}

const HIDDEN =
  'draft|archived?|inactive|hidden|private|disabled|unlisted|unpublished|deleted|trashed|removed|suspended|withdrawn|expired|revoked';
const SHOWN = 'public|published|active|enabled|visible|listed|live';
const HIDDEN_VALUE = new RegExp(`^(?:${HIDDEN})$`, 'i');
const HIDDEN_NAME = new RegExp(`^(?:is_?)?(?:${HIDDEN})(?:_?(?:at|on))?$`, 'i');
const SHOWN_NAME = new RegExp(`^(?:is_?)?(?:${SHOWN})(?:_?(?:at|on))?$`, 'i');

export function stateOf(name: string, value: unknown): string | undefined {
  if (typeof value === 'boolean' || value === null || value === undefined) return `${name}=${String(value ?? null)}`;
  if (HIDDEN_NAME.test(name) || SHOWN_NAME.test(name)) return `${name}=set`;
  return typeof value === 'string' && value.length <= 40 ? `${name}=${value}` : undefined;
}

export function isHiddenState(name: string, value: unknown): boolean {
  const isNone = value === null || value === false || value === undefined;
  if (HIDDEN_NAME.test(name)) return !isNone;
  return (SHOWN_NAME.test(name) && isNone) || (typeof value === 'string' && HIDDEN_VALUE.test(value));
}

/** What says that a list has some records only: `Drafts are not listed.`, `Lists the public posts.` */
const LEAVES_OUT = [
  /\b(?:not|never|n't|nor)\s+(?:be\s+|being\s+)?(?:listed|included|returned|shown|visible|part of|in (?:the|this|any) list|appear|show up)/i,
  /\b(?:excludes?|excluding|excluded|omits?|omitted|omitting|leaves? out|left out|hides?|hidden|filtered out|skips?|unlisted)\b/i,
  new RegExp(
    `\\b(?:only|lists?|returns?|all|gets?|fetch(?:es)?)\\s+(?:of\\s+)?(?:(?:the|all)\\s+)*(?:${SHOWN})\\s`,
    'i',
  ),
  new RegExp(`\\bonly\\b[^.]{0,60}\\b(?:${SHOWN})\\b`, 'i'),
  new RegExp(`\\b(?:${SHOWN})\\b[^.]{0,40}\\bonly\\b`, 'i'),
  new RegExp(`\\b(?:includ|show|return|list)\\w*\\b[^.]{0,40}\\b(?:${HIDDEN}|drafts)\\b`, 'i'),
];

type Described = Readonly<Record<string, unknown>>;

function readOfEach<Said>(read: (subject: Subject, contract: Contract) => Said) {
  const readAll = readOnce((contract: Contract) => readOnce((subject: Subject) => read(subject, contract)));
  return (subject: Subject, contract: Contract): Said => readAll(contract)(subject);
}

export const readLeftOut = readOfEach(({ roles: { list }, resource }, { document }) => {
  const fields: ReadonlySet<string> = new Set();
  if (list === undefined) return { ofList: false, fields };
  const read = (pointer: string): Described => asObject(resolveAt(document, pointer).value);
  const leavesOut = ({ summary, description }: Described): boolean =>
    [summary, description].some((text) => typeof text === 'string' && LEAVES_OUT.some((pattern) => pattern.test(text)));
  const { pointer, parameters } = list.operation;
  const operation = read(pointer);
  const described = [
    operation,
    read(pointer.slice(0, pointer.lastIndexOf('/'))),
    read(resource.schemaPointer),
    ...Object.values(asObject(operation['responses'])).map(asObject),
    ...parameters.flatMap((each) => (each.in === 'query' ? [read(each.pointer), each.schema] : [])),
  ];
  const properties = readProperties(document, resource.schemaPointer);
  const named = properties.filter(({ schemaPointer }) => leavesOut(read(schemaPointer))).map(({ name }) => name);
  return { ofList: described.some(leavesOut), fields: new Set(named) };
});

/** What a list is said to show of each record: `Lists the drivers in short.`, `A page of drivers, without remarks and phone.` */
const SHORT =
  /\b(?:in (?:short|brief)|short(?:ened)? (?:form|version|view|record|item)s?|abridged|abbreviated|condensed|summar(?:y|ies|ised|ized)|overview|compact|(?:not|without) all (?:fields|details|properties)|without (?:the )?details)\b/i;
const WITHOUT =
  /\b(?:without|exclud\w*|omit\w*|except|leaves? out|left out|(?:not|never|n't) (?:in|includ\w*|shown|returned|part))\b/i;
/** Of a field: `Left out of lists.`, `Only shown for a single driver.` */
const NOT_IN_LISTS =
  /(?:^|[.;!?]\s+)(?:(?:it|this (?:field|property|value)) )?(?:is )?(?:(?:not|never|omitted|absent|missing|left out|excluded)\b[^.;]*\b(?:lists?|listings?|collections?)|only\b[^.;]*\b(?:single|one|by id|details?|itself))\b/i;

export const readShortened = readOfEach(({ roles: { list }, resource }, { document }) => {
  const none: ReadonlySet<string> = new Set();
  if (list === undefined) return { without: none, isPart: false };
  const read = (pointer: string): Described => asObject(resolveAt(document, pointer).value);
  const operation = read(list.operation.pointer);
  const response = read(`${list.operation.pointer}/responses/${list.success.status}`);
  const sentences = [operation['summary'], operation['description'], response['description']].flatMap((text) =>
    typeof text === 'string' ? text.split(/[.;!?](?:\s|$)/) : [],
  );
  const parameters = new Set(list.operation.parameters.map(({ name }) => name));
  const isNamed = (name: string, sentence: string): boolean =>
    WITHOUT.test(sentence) &&
    new RegExp(`(?<![\\w-])${name.replaceAll(/[^\w]/g, '\\$&')}(?![\\w-])`, 'i').test(sentence);
  const isSaidOf = ({ description }: Described) => typeof description === 'string' && NOT_IN_LISTS.test(description);
  const without = readProperties(document, resource.schemaPointer).filter(
    ({ name, schemaPointer }) =>
      (!parameters.has(name) && sentences.some((each) => isNamed(name, each))) || isSaidOf(read(schemaPointer)),
  );
  return { without: new Set(without.map(({ name }) => name)), isPart: sentences.some((each) => SHORT.test(each)) };
});

export const listStates = readOnce(({ document }: Contract) => {
  return (subject: Subject): string[] =>
    readProperties(document, subject.resource.schemaPointer).flatMap((property) => {
      const { name, type, schema } = readField(property, document);
      return type === 'boolean' || schema['enum'] !== undefined ? [name] : [];
    });
});
