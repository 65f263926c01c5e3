import { splitList, isObject, defined } from '../document/plain.js';
import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import { escapePointer, readDocument } from '../document/document.js';
import { createDefaultProfile, type Gap, type Profile } from './gaps.js';

interface ProfileEntry {
  /** A choice or `other`, a value or `none`, or a sorted list of observations; for each `not-observed`. */
  answer: ProfileAnswer;
  evidence?: string;
}

export type ProfileAnswer = string | number | readonly string[];

export interface ObservedProfile {
  target?: string;
  /** The day of the run: `2026-11-21`. */
  date?: string;
  contract?: string;
  entries: Readonly<Record<string, ProfileEntry>>;
}

export const NOT_OBSERVED = 'not-observed';
/** A behaviour that none of the named choices describes. */
export const OTHER = 'other';
export const NONE = 'none';

/** The name under which the answer to a gap of each kind stands in a file. */
export const ANSWER_FIELD = { choice: 'choice', value: 'value', observation: 'seen' } as const;
const HEAD_FIELDS = ['target', 'date', 'contract'] as const;

/** Throws a `PetstoreMockError` (`unusable-profile`) with file and line for anything that does not fit a gap. */
export function loadProfile(path: string, gaps: readonly Gap[]): ObservedProfile {
  const document = readDocument(path, { code: 'unusable-profile', kind: 'profile' });
  return readProfile(document.root, gaps, (pointer, message) => {
    throw new PetstoreMockError('unusable-profile', message, document.placeOf(pointer));
  });
}

type Reject = (pointer: string, message: string) => never;

export function readProfile(
  root: unknown,
  gaps: readonly Gap[],
  reject: Reject = (pointer, message) => {
    throw new PetstoreMockError('unusable-profile', pointer === '' ? message : `profile${pointer}: ${message}`);
  },
): ObservedProfile {
  if (!isObject(root)) return reject('', 'a profile must be a mapping with `gaps`, a choice for each gap.');
  const known = [...HEAD_FIELDS, 'gaps', '$schema'];
  const foreign = Object.keys(root).find((key) => !known.includes(key));
  if (foreign !== undefined)
    return reject(pointerTo(foreign), `a profile has no \`${foreign}\`${suggest(foreign, known)}`);
  const head = HEAD_FIELDS.map((field) => {
    const value = root[field];
    const isText = value === undefined || typeof value === 'string';
    return [field, isText ? value : reject(pointerTo(field), `\`${field}\` must be a text.`)] as const;
  });
  const list = root['gaps'] ?? {};
  if (!isObject(list))
    return reject('/gaps', '`gaps` must be a mapping from gap to choice, such as `list-order: oldest-first`.');
  const entries = Object.entries(list).map(([id, value]) => [id, readEntry(id, value, gaps, reject)] as const);
  return { ...defined(Object.fromEntries(head)), entries: Object.fromEntries(entries) };
}

export function adoptProfile({ entries }: ObservedProfile, gaps: readonly Gap[], name: string): Profile {
  const known = gaps.flatMap((gap) => {
    const answer = entries[gap.id]?.answer;
    return answer === undefined || answer === NOT_OBSERVED || answer === OTHER || answer === NONE
      ? []
      : [{ ...gap, answer }];
  });
  const pick = (kind: Gap['kind']): [string, ProfileAnswer][] =>
    known.filter((each) => each.kind === kind).map(({ id, answer }) => [id, answer]);
  const adopted: Profile = {
    name,
    choices: {
      ...createDefaultProfile(gaps).choices,
      ...(Object.fromEntries(pick('choice')) as Record<string, string>),
    },
    values: Object.fromEntries(pick('value')) as Record<string, string | number>,
    seen: Object.fromEntries(pick('observation')) as Record<string, string[]>,
    unknown: gaps
      .map(({ id }) => id)
      .filter((id) => [OTHER, NOT_OBSERVED].some((each) => entries[id]?.answer === each)),
  };
  return layOver(adopted, gaps);
}

function readEntry(id: string, value: unknown, gaps: readonly Gap[], reject: Reject): ProfileEntry {
  const pointer = `/gaps${pointerTo(id)}`;
  const gap = gaps.find((each) => each.id === id);
  if (gap === undefined) {
    const ids = gaps.map((each) => each.id);
    return reject(pointer, `there is no gap ${id}${suggest(id, ids)}`);
  }
  if (!isObject(value)) return { answer: readSuccess(gap, value, pointer, reject) };
  const field = ANSWER_FIELD[gap.kind];
  const foreign = Object.keys(value).find((key) => key !== field && key !== 'evidence');
  if (foreign !== undefined) {
    const problem = `${id} has no \`${foreign}\`${suggest(foreign, [field, 'evidence'])}`;
    return reject(`${pointer}${pointerTo(foreign)}`, problem);
  }
  if (value[field] === undefined) return reject(pointer, `${id} needs a \`${field}\`.`);
  const answer = readSuccess(gap, value[field], `${pointer}/${field}`, reject);
  const { evidence } = value;
  if (evidence === undefined) return { answer };
  return typeof evidence === 'string'
    ? { answer, evidence }
    : reject(`${pointer}/evidence`, 'evidence must be a text.');
}

function readSuccess(gap: Gap, value: unknown, pointer: string, reject: Reject): ProfileAnswer {
  if (value === NOT_OBSERVED) return NOT_OBSERVED;
  const problem = READERS[gap.kind](gap, value);
  return problem === undefined ? (value as ProfileAnswer) : reject(pointer, problem);
}

const READERS: Readonly<Record<Gap['kind'], (gap: Gap, value: unknown) => string | undefined>> = {
  choice: ({ id, choices }, value) => {
    const names = [...Object.keys(choices), OTHER];
    if (names.some((name) => name === value)) return undefined;
    const near = typeof value === 'string' ? suggest(value, names) : '.';
    return `${String(value)} is not a choice of ${id}${near} The choices are ${names.join(', ')}.`;
  },
  value: ({ id, value: type }, value) => {
    if (value === NONE) return undefined;
    if (type === 'text') return typeof value === 'string' ? undefined : `${id} must be a text, or none.`;
    const isFine = typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
    return isFine ? undefined : `${id} must be a whole number from 1, or none, not ${String(value)}.`;
  },
  observation: ({ id, item }, value) => {
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
    return isList ? undefined : `${id} must be a list of texts, each ${item}.`;
  },
};

const pointerTo = (key: string): string => `/${escapePointer(key)}`;

const OF_FIELDS: ReadonlySet<string> = new Set(
  splitList('empty-name blank-name name-length-limit name-characters negative-category'),
);

/** With what the profile says of one resource alone (`orders.list-order`) at hand under the general ids. */
export function layOver(profile: Profile, gaps: readonly Gap[]): Profile {
  const { of: _of, ...plain } = profile;
  const layers = new Map<string, Profile>();
  for (const { id, of } of gaps) {
    const isAnswered = KINDS.some((kind) => plain[kind]?.[id] !== undefined);
    if (of === undefined || !isAnswered) continue;
    const layer = layers.get(of.resource) ?? startLayer(plain, gaps);
    const answers = KINDS.map((kind) => {
      const answer = plain[kind]?.[id];
      return [kind, answer === undefined ? layer[kind] : { ...layer[kind], [of.gap]: answer }];
    });
    layers.set(of.resource, { ...layer, ...(Object.fromEntries(answers) as Pick<Profile, (typeof KINDS)[number]>) });
  }
  return layers.size === 0 ? plain : { ...plain, of: layers };
}

const KINDS = ['choices', 'values', 'seen'] as const;

function startLayer(profile: Profile, gaps: readonly Gap[]): Profile {
  const fields = gaps.filter(({ id, kind }) => OF_FIELDS.has(id) && kind === 'choice');
  const choices = Object.fromEntries(fields.map(({ id, mock }) => [id, mock]));
  const without = <T>(entries: Readonly<Record<string, T>> = {}): Record<string, T> =>
    Object.fromEntries(Object.entries(entries).filter(([id]) => !OF_FIELDS.has(id)));
  const { values, seen } = profile;
  return { ...profile, choices: { ...profile.choices, ...choices }, values: without(values), seen: without(seen) };
}

export const profileOf = (profile: Profile, resource: string | undefined): Profile =>
  profile.of === undefined || resource === undefined ? profile : (profile.of.get(resource) ?? profile);

type ProfileDifference = { id: string; before: ProfileAnswer; now: ProfileAnswer; isChange: boolean };

export function compareProfiles(
  before: ObservedProfile,
  now: ObservedProfile,
  gaps: readonly Gap[],
): ProfileDifference[] {
  const answerOf = ({ entries }: ObservedProfile, { id, of }: Gap): ProfileAnswer =>
    // An answer for every resource is an answer for each.
    (entries[id] ?? (of === undefined || OF_FIELDS.has(of.gap) ? undefined : entries[of.gap]))?.answer ?? NOT_OBSERVED;
  return gaps
    .map((gap) => {
      const [old, fresh] = [answerOf(before, gap), answerOf(now, gap)];
      return { id: gap.id, before: old, now: fresh, isChange: isChange(gap, old, fresh) };
    })
    .filter(({ before: a, now: b }) =>
      typeof a === 'object' && typeof b === 'object' ? a.join('\n') !== b.join('\n') : a !== b,
    )
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function isChange({ id, kind }: Gap, before: ProfileAnswer, now: ProfileAnswer): boolean {
  if (before === NOT_OBSERVED || now === NOT_OBSERVED) return false;
  if (kind !== 'observation') return true;
  if (id !== 'error-codes' || typeof before !== 'object' || typeof now !== 'object') return false;
  const [old, fresh] = [groupCodes(before), groupCodes(now)];
  // Both sides saw some operation and status, but no code in common for it.
  return [...old].some(([where, codes]) => {
    const other = fresh.get(where);
    return other !== undefined && !codes.some((code) => other.includes(code));
  });
}

function groupCodes(items: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const [, where = '', code = ''] = /^(\S+ \d+) (.*)$/s.exec(item) ?? [];
    groups.set(where, [...(groups.get(where) ?? []), code]);
  }
  return groups;
}
