import { plainName } from '../../../contract/resources/words.js';
import type { Row } from '../../model/raw-scenario.js';
import { isFreeText } from '../certainty.js';
import { readAsOf } from '../grammars/releases.js';
import { isOwnText } from '../records/unique-texts.js';
import type { Field } from '../subject.js';
import type { TableSource } from './table-source.js';
import { changeFields } from './values.js';

/** Texts that are damaged on the way where something escapes, cuts or reads them in another encoding. */
const TEXTS: readonly (readonly [id: string, words: string, text: string])[] = [
  ['letters', 'with letters of several scripts', 'Zo\u00EB \u6C34\u{1F43E} {$unique}'],
  ['signs', 'with special characters of HTML and URLs', `O'M & "S" <b> \\ %20+ {$unique}`],
];

/** What only some of the programs between a client and a store stumble over. */
const RARE_TEXTS: typeof TEXTS = [
  ['lines', 'with line breaks in a text', 'two\nlines\r\nand\ta tab\u2028 {$unique}'],
  ['templates', 'with template placeholders in a text', 'a%20b+c&d=e?f#g/h ${x} {{7*7}} {$unique}'],
  ['formula', 'with a spreadsheet formula as a text', '=1+1 {$unique}'],
  ['spaces-of-scripts', 'with spaces beyond ASCII', 'a\u00A0b\u200Bc {$unique}'],
  ['control-characters', 'with control characters', 'a\u0000\u0001\b\f\u007F {$unique}'],
];

export function listTexts(source: TableSource): Row[] {
  const texts = listWith(TEXTS, source);
  return [
    ...(texts.length > 0 ? texts : listAccents(source)),
    ...(readAsOf(source.contract.asOf).has('1.1.0') ? listZones(source) : []),
  ];
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
  return listWith(RARE_TEXTS, source);
}

function listWith(texts: typeof TEXTS, source: TableSource): Row[] {
  const { subject, made } = source;
  const fields = subject.fields.filter(({ name }) => Object.hasOwn(made.full, name));
  return texts.flatMap(([id, words, text]) => {
    const changed = changeFields(fields, (field, own) => (isAnyText(field, own) ? text : undefined), source);
    return Object.keys(changed).length === 0 ? [] : [{ id, words, record: { ...made.full, ...changed } }];
  });
}

/** Whether any text will do, as far as the contract says. */
export function isAnyText({ name, type, schema: { format, pattern } }: Field, own: unknown): boolean {
  const isOpen = (isOwnText(own) && !IN_ADDRESSES.has(plainName(name))) || isFreeText(name);
  return type === 'string' && format === undefined && pattern === undefined && isOpen;
}

/** What stands in addresses, where letters are lowered and signs are left out. */
const IN_ADDRESSES = new Set('slug handle username login domain host hostname subdomain email'.split(' '));
