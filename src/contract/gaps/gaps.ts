import { PetstoreMockError } from '../../errors.js';
import { readDocument, type SourceDocument } from '../document/document.js';
import { withArticle } from '../resources/words.js';
import type { Resource } from '../resources/resource.js';
import { defined } from '../document/plain.js';

export type GapKind = (typeof GAP_KINDS)[number];

const GAP_KINDS = ['choice', 'value', 'observation'] as const;

export interface Gap {
  id: string;
  kind: GapKind;
  question: string;
  /** The place of the contract that leaves it open, as `#` and a JSON Pointer. */
  contract: string;
  /** For a choice: each one by its name, in plain words. For other kinds: empty. */
  choices: Readonly<Record<string, string>>;
  value: 'integer' | 'text' | undefined;
  item: string | undefined;
  /** The mock's own choice; for a value, the meaning of its absence; for an observation, what the mock does. */
  mock: string;
  why: string;
  field?: string;
  resource?: string;
  of?: { resource: string; gap: string };
}

/** An entry of `gaps.yaml`. Its texts have `{record}` and the like in them where it is general. */
export interface GapEntry extends Omit<Gap, 'contract'> {
  contract: string | undefined;
  each: { of: string; id: string; question: string } | undefined;
}

/** A choice for each gap, and what else is known of a service where the contract is silent. */
export interface Profile {
  name: string;
  choices: Readonly<Record<string, string>>;
  values?: Readonly<Record<string, number | string>>;
  /** The gaps that it marks as not observed, or as a behaviour without a name: the mock keeps its default for them. */
  unknown?: readonly string[];
  seen?: Readonly<Record<string, readonly string[]>>;
  /** By resource, where it says something of that alone: the same gaps under their general ids. */
  of?: ReadonlyMap<string, Profile>;
}

/** The petstore's gaps. Throws a `PetstoreMockError` with file and line for an entry that is incomplete. */
export function loadGaps(path: string, shownAs: string = path): Gap[] {
  return loadGapEntries(path, shownAs).flatMap(({ contract, each: _each, ...entry }) =>
    contract === undefined ? [] : [fillTexts({ ...entry, contract }, PETS)],
  );
}

export function loadGapEntries(path: string, shownAs: string = path): GapEntry[] {
  const document = readDocument(path, { code: 'unusable-profile', shownAs });
  const list = document.at('/gaps');
  if (!Array.isArray(list)) throw unusable(document, '', 'the list `gaps` is missing.');
  const gaps = list.map((_, index) => readGap(document, `/gaps/${index}`));
  const repeated = gaps.find((gap, index) => gaps.findIndex(({ id }) => id === gap.id) !== index);
  if (repeated !== undefined) throw unusable(document, '/gaps', `the gap ${repeated.id} is there twice.`);
  return gaps;
}

export function createDefaultProfile(gaps: readonly Gap[]): Profile {
  const choices = gaps.filter(({ kind, of }) => kind === 'choice' && of === undefined).map((gap) => [gap.id, gap.mock]);
  return { name: 'default', choices: Object.fromEntries(choices) as Record<string, string> };
}

/** The entry of a table for the profile's choice; each gap has one such table, beside the code that acts on it. */
export function actOn<T>(profile: Profile, gapId: string, table: Readonly<Record<string, T>>): T {
  const choice = profile.choices[gapId];
  if (choice === undefined || !Object.hasOwn(table, choice))
    throw new Error(`the gap ${gapId} has no action for the choice ${String(choice)}`);
  return table[choice] as T;
}

function readGap(document: SourceDocument, pointer: string): GapEntry {
  const text = (field: string): string => {
    const value = document.at(`${pointer}/${field}`);
    if (typeof value === 'string' && value !== '') return value;
    throw unusable(document, pointer, `a gap needs a text under \`${field}\`.`);
  };
  const contract = document.at(`${pointer}/contract`) === undefined ? undefined : text('contract');
  const [, field] = /\/properties\/([^/]+)$/.exec(contract ?? '') ?? [];
  const [id, question] = [text('id'), text('question')];
  const common = { id, question, contract, ...defined({ field }), why: text('why') };
  const given = document.at(`${pointer}/each`) as Partial<NonNullable<GapEntry['each']>> | undefined;
  if (given !== undefined && typeof given.of !== 'string')
    throw unusable(document, `${pointer}/each`, '`each` needs the text `of`, the part of a resource that has the gap.');
  if (contract === undefined && given === undefined)
    throw unusable(document, pointer, 'a gap needs a text under `contract`, or `each`.');
  const each = given?.of === undefined ? undefined : { id, question, ...given, of: given.of };
  const none = { choices: {}, value: undefined, item: undefined };
  const kind = text('kind');
  if (kind === 'choice') return { ...common, ...none, each, kind, ...readChoices(document, pointer, text) };
  if (kind === 'observation') return { ...common, ...none, each, kind, item: text('item'), mock: text('mock') };
  if (kind !== 'value')
    throw unusable(document, `${pointer}/kind`, `${kind} is not a kind of gap; the kinds are ${GAP_KINDS.join(', ')}.`);
  const value = text('value');
  if (value === 'integer' || value === 'text') return { ...common, ...none, each, kind, value, mock: text('none') };
  throw unusable(document, `${pointer}/value`, `a value is an integer or a text, not ${value}.`);
}

function readChoices(document: SourceDocument, pointer: string, text: (field: string) => string) {
  const choices = document.at(`${pointer}/choices`);
  const entries = typeof choices === 'object' && choices !== null ? Object.entries(choices) : [];
  if (entries.length < 2 || !entries.every(([, words]) => typeof words === 'string'))
    throw unusable(document, pointer, 'a gap needs at least two `choices`, each with a description.');
  const [mock, names] = [text('mock'), entries.map(([name]) => name)];
  if (!names.includes(mock)) {
    const message = `${mock} is not a choice of ${text('id')}; the choices are ${names.join(', ')}.`;
    throw unusable(document, `${pointer}/mock`, message);
  }
  return { choices: Object.fromEntries(entries), mock };
}

const unusable = (document: SourceDocument, pointer: string, message: string): PetstoreMockError =>
  new PetstoreMockError('unusable-profile', message, document.placeOf(pointer));

/** The words that replace `{record}` and the like in the texts of a general gap. */
export type GapWords = Readonly<Record<'record' | 'records' | 'text' | 'number', string>>;

export const PETS: GapWords = { record: 'pet', records: 'pets', text: 'name', number: 'int64' };

export function wordsOf({ singular, name }: Pick<Resource, 'singular' | 'name'>): GapWords {
  const plain = (text: string): string =>
    text
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .replaceAll(/[._-]+/g, ' ')
      .toLowerCase();
  const record = plain(singular);
  const named = plain(name.split('.').at(-1) ?? name);
  // `/silence/{id}` beside `/silences`.
  const plural = named === record && !HAS_NO_PLURAL.test(named) ? `${named}s` : named;
  return { record, records: plural, text: 'text', number: 'number' };
}

const HAS_NO_PLURAL = /(?:s|data|media|info|information|equipment|staff|software|hardware|[^aeiou]y|x|ch|sh)$/;

export function fillTexts<T extends Omit<Gap, 'contract'>>(gap: T, words: GapWords): T {
  const fill = (text: string): string =>
    text
      .replaceAll('{a record}', withArticle(words.record))
      .replaceAll(/\{(record|records|text|number)\}/g, (_, name: keyof GapWords) => words[name]);
  const choices = Object.entries(gap.choices).map(([name, text]) => [name, fill(text)] as const);
  const item = gap.item === undefined ? undefined : fill(gap.item);
  const filled = { question: fill(gap.question), mock: fill(gap.mock), why: fill(gap.why), item };
  return { ...gap, ...filled, choices: Object.fromEntries(choices) };
}
