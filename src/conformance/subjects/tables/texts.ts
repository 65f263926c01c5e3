import { plainName } from '../../../contract/resources/words.js';
import type { Row } from '../../model/scenario.js';
import { isFreeText } from '../certainty.js';
import { isOwnText, UNIQUE_LENGTH } from '../records/unique-texts.js';
import type { Field } from '../subject.js';
import { readCases, USUAL_LENGTH, type CaseRow } from './data.js';
import type { TableSource } from './table-source.js';
import { changeFields } from './values.js';

/** The texts that a scenario sends, whole. */
export function readTexts(of: CaseRow<'texts'>['of']): CaseRow<'texts'>[] {
  return readCases('texts')
    .filter((row) => row.of === of)
    .map((row) => {
      const { text, repeat = '', times = 0, end = '' } = row;
      return Object.assign({}, row, { text: `${text}${repeat.repeat(times)}${end}` });
    });
}

export function listTexts(source: TableSource): Row[] {
  const texts = listWith('texts', source);
  return [...(texts.length > 0 ? texts : listAccents(source)), ...listZones(source)];
}

/** Where no field may have any text, a name of a person or a place may have accents: no letter of ASCII, and two bytes each. */
function listAccents(source: TableSource): Row[] {
  const { subject, made } = source;
  const fields = subject.fields.filter(
    ({ name }) => typeof made.full[name] === 'string' && NAMES.test(plainName(name)),
  );
  const changed = changeFields(fields, ({ type }) => (type === 'string' ? ACCENTS : undefined), source);
  if (Object.keys(changed).length === 0) return [];
  return [{ id: 'accents', words: 'with accents in names', record: { ...made.full, ...changed } }];
}

const NAMES = /^(?:(?:first|last|given|family|middle|full|display)?name|surname|city|town|street|title|label)$/;
const ACCENTS = 'Zo\u00EB \u00C5ngstr\u00F6m';

/** The same times, as clocks elsewhere show them (RFC 3339 section 4.2). */
function listZones(source: TableSource): Row[] {
  const { subject, made } = source;
  const fields = subject.fields.filter(({ name }) => Object.hasOwn(made.full, name));
  const changed = changeFields(fields, ({ schema }, own) => moveToZone(schema['format'], own), source);
  if (Object.keys(changed).length === 0) return [];
  return [{ id: 'zones', words: 'with times in another time zone', record: { ...made.full, ...changed } }];
}

const ZONE = { name: '+05:30', ms: 19_800_000 };

function moveToZone(format: unknown, own: unknown): string | undefined {
  const time = format === 'date-time' && typeof own === 'string' ? Date.parse(own) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time + ZONE.ms).toISOString().replace('Z', ZONE.name);
}

export function listRareTexts(source: TableSource): Row[] {
  return listWith('rareTexts', source);
}

function listWith(of: CaseRow<'texts'>['of'], source: TableSource): Row[] {
  const { subject, made } = source;
  const fields = subject.fields.filter(({ name }) => Object.hasOwn(made.full, name));
  return readTexts(of).flatMap(({ id, words, text, fill }) => {
    const write = ({ schema }: Field): string =>
      fill === undefined ? text : `${text}${fill.repeat(Math.max(0, longest(schema) - UNIQUE_LENGTH - 1))}`;
    const changed = changeFields(fields, (field, own) => (isAnyText(field, own) ? write(field) : undefined), source);
    return Object.keys(changed).length === 0 ? [] : [{ id, words, record: { ...made.full, ...changed } }];
  });
}

function longest({ maxLength }: Field['schema']): number {
  return typeof maxLength === 'number' ? Math.min(maxLength, LONGEST) : USUAL_LENGTH;
}

/** A longer one would test how much a service accepts. */
const LONGEST = 1000;

/** Whether any text will do, as far as the contract says. */
export function isAnyText({ name, type, schema: { format, pattern } }: Field, own: unknown): boolean {
  const isOpen = (isOwnText(own) && !IN_ADDRESSES.has(plainName(name))) || isFreeText(name);
  return type === 'string' && format === undefined && pattern === undefined && isOpen;
}

/** What stands in addresses, where letters are lowered and signs are left out. */
const IN_ADDRESSES = new Set('slug handle username login domain host hostname subdomain email'.split(' '));

/** Two texts that are one to a reader who folds letters, behind the same text of the run's own. */
export function listEqualTexts(source: TableSource): Row[] {
  const { made, subject } = source;
  if (subject.roles.create?.success.body !== 'record') return [];
  const given = subject.fields.filter(({ name }) => Object.hasOwn(made.full, name));
  const put = (text: string): Record<string, unknown> =>
    changeFields(given, (field, own) => (isAnyText(field, own) && isOwnText(own) ? text : undefined), source);
  return readCases('equal-texts').flatMap(({ id, words, one, other }) => {
    const [first, second] = [put(`{$unique} ${one}`), put(`{$steps.first.outputs.unique} ${other}`)];
    if (Object.keys(first).length === 0 || Object.keys(second).length === 0) return [];
    return [{ id, words, record: { ...made.full, ...first }, second: { ...made.full, ...second } }];
  });
}
