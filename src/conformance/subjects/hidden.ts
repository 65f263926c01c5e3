// What a list leaves out as its contract says: records, such as drafts and what is archived, and fields of those that it shows.
import type { Contract } from '../../contract/contract.js';
import { asObject } from '../../contract/document/plain.js';
import { resolveAt } from '../../contract/document/references.js';
import { readProperties } from '../../contract/operations/properties.js';
import { readOnce } from '../../contract/document/document.js';
import { readField, type Subject } from './subject.js';

const HIDDEN =
  'draft archived? inactive hidden private disabled unlisted unpublished deleted trashed removed suspended withdrawn expired revoked';
const SHOWN = 'public published active enabled visible listed live';
const wordsOf = (all: string): string => all.split(' ').join('|');

/** The state of a record that a list may leave out: `state: draft`, `archived: true`, `published: false`, `archivedAt` set. */
const HIDDEN_VALUE = new RegExp(`^(?:${wordsOf(HIDDEN)})$`, 'i');
const HIDDEN_NAME = new RegExp(`^(?:is_?)?(?:${wordsOf(HIDDEN)})(?:_?(?:at|on))?$`, 'i');
const SHOWN_NAME = new RegExp(`^(?:is_?)?(?:${wordsOf(SHOWN)})(?:_?(?:at|on))?$`, 'i');

/** A value as a list shows it or does not, where it may say in which state a record is: dates are all alike. */
export function stateOf(name: string, value: unknown): string | undefined {
  if (typeof value === 'boolean' || value === null || value === undefined) return `${name}=${String(value ?? null)}`;
  if (HIDDEN_NAME.test(name) || SHOWN_NAME.test(name)) return `${name}=set`;
  return typeof value === 'string' && value.length <= LONGEST_STATE ? `${name}=${value}` : undefined;
}

const LONGEST_STATE = 40;

/** Whether a value says by itself that a list may leave the record out. */
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
    `\\b(?:only|lists?|returns?|all|get|gets|fetch(?:es)?)\\s+(?:of\\s+)?(?:the\\s+|all\\s+)*(?:${wordsOf(SHOWN)})\\s`,
    'i',
  ),
  new RegExp(`\\bonly\\b[^.]{0,60}\\b(?:${wordsOf(SHOWN)})\\b`, 'i'),
  new RegExp(`\\b(?:${wordsOf(SHOWN)})\\b[^.]{0,40}\\bonly\\b`, 'i'),
  new RegExp(`\\b(?:includ|show|return|list)\\w*\\b[^.]{0,40}\\b(?:${wordsOf(HIDDEN)}|drafts)\\b`, 'i'),
];

/** What a contract says in words of which records a list leaves out: of the list itself, or of fields. */
interface SaidLeftOut {
  ofList: boolean;
  fields: ReadonlySet<string>;
}

const readSaid = readOnce((_: Contract) => new Map<string, SaidLeftOut>());

export function readLeftOut(subject: Subject, contract: Contract): SaidLeftOut {
  const known = readSaid(contract);
  const said = known.get(subject.name) ?? describeLeftOut(subject, contract);
  known.set(subject.name, said);
  return said;
}

function describeLeftOut({ roles: { list }, resource }: Subject, { document }: Contract): SaidLeftOut {
  if (list === undefined) return { ofList: false, fields: new Set() };
  const read = (pointer: string): Readonly<Record<string, unknown>> => asObject(resolveAt(document, pointer).value);
  const { pointer, parameters } = list.operation;
  const operation = read(pointer);
  const texts = [
    operation,
    read(pointer.slice(0, pointer.lastIndexOf('/'))),
    read(resource.schemaPointer),
    ...Object.values(asObject(operation['responses'])).map(asObject),
    ...parameters.flatMap((each) => (each.in === 'query' ? [read(each.pointer), each.schema] : [])),
  ];
  const fields = readProperties(document, resource.schemaPointer);
  const named = fields.filter(({ schemaPointer }) => isOfLeavingOut(read(schemaPointer))).map(({ name }) => name);
  return { ofList: texts.some(isOfLeavingOut), fields: new Set(named) };
}

function isOfLeavingOut({ summary, description }: Readonly<Record<string, unknown>>): boolean {
  return [summary, description].some(
    (text) => typeof text === 'string' && LEAVES_OUT.some((pattern) => pattern.test(text)),
  );
}

/** What a list is said to show of each record: `Lists the drivers in short.`, `A page of drivers, without remarks and phone.` */
const SHORT =
  /\b(?:in (?:short|brief)|short(?:ened)? (?:form|version|view|record|item)s?|abridged|abbreviated|condensed|summar(?:y|ies|ised|ized)|overview|compact|(?:not|without) all (?:fields|details|properties)|without (?:the )?details)\b/i;
const WITHOUT =
  /\b(?:without|exclud\w*|omit\w*|except|leaves? out|left out|(?:not|never|n't) (?:in|includ\w*|shown|returned|part))\b/i;
/** Of a field: `Left out of lists.`, `Only shown for a single driver.` */
const NOT_IN_LISTS =
  /(?:^|[.;!?]\s+)(?:(?:it|this (?:field|property|value)) )?(?:is )?(?:(?:not|never|omitted|absent|missing|left out|excluded)\b[^.;]*\b(?:lists?|listings?|collections?)|only\b[^.;]*\b(?:single|one|by id|details?|itself))\b/i;

/** What a contract says that the records of a list do not have. */
interface SaidShort {
  /** The fields that it names. */
  without: ReadonlySet<string>;
  /** Whether they are a part of what a record has, whichever that is. */
  isPart: boolean;
}

const readShort = readOnce((_: Contract) => new Map<string, SaidShort>());

export function readShortened(subject: Subject, contract: Contract): SaidShort {
  const known = readShort(contract);
  const said = known.get(subject.name) ?? describeShortened(subject, contract);
  known.set(subject.name, said);
  return said;
}

function describeShortened({ roles: { list }, resource }: Subject, { document }: Contract): SaidShort {
  if (list === undefined) return { without: new Set(), isPart: false };
  const read = (pointer: string): Readonly<Record<string, unknown>> => asObject(resolveAt(document, pointer).value);
  const operation = read(list.operation.pointer);
  const response = read(`${list.operation.pointer}/responses/${list.success.status}`);
  const sentences = [operation['summary'], operation['description'], response['description']].flatMap((text) =>
    typeof text === 'string' ? text.split(/[.;!?](?:\s|$)/) : [],
  );
  const parameters = new Set(list.operation.parameters.map(({ name }) => name));
  const isNamed = (name: string, sentence: string): boolean =>
    WITHOUT.test(sentence) &&
    new RegExp(`(?<![\\w-])${name.replaceAll(/[^\w]/g, '\\$&')}(?![\\w-])`, 'i').test(sentence);
  const isSaidOf = ({ description }: Readonly<Record<string, unknown>>): boolean =>
    typeof description === 'string' && NOT_IN_LISTS.test(description);
  // Without a parameter, a list has other records.
  const without = readProperties(document, resource.schemaPointer).filter(
    ({ name, schemaPointer }) =>
      (!parameters.has(name) && sentences.some((each) => isNamed(name, each))) || isSaidOf(read(schemaPointer)),
  );
  return { without: new Set(without.map(({ name }) => name)), isPart: sentences.some((each) => SHORT.test(each)) };
}

/** The fields of a record that say in which state it is: truth values, and one of a list. */
export const listStates = readOnce((contract: Contract) => {
  const { document } = contract;
  return (subject: Subject): string[] =>
    readProperties(document, subject.resource.schemaPointer).flatMap(({ name, schemaPointer }) => {
      const { type, schema } = readField({ name, required: false, schemaPointer }, document);
      return type === 'boolean' || schema['enum'] !== undefined ? [name] : [];
    });
});
