import { PetstoreMockError } from '../errors.js';
import { readDocument, type SourceDocument } from './document.js';

/** Something that the contract leaves open. */
export interface Gap {
  /** Stable, kebab-case. */
  id: string;
  /** What is open, as a question. */
  question: string;
  /** The section of the interface that leaves it open. */
  section: string;
  /** Each choice by its name, in plain words. */
  choices: Readonly<Record<string, string>>;
  /** The mock's own choice, and why. */
  mock: string;
  why: string;
}

/** A choice for each gap. */
export interface Profile {
  name: string;
  choices: Readonly<Record<string, string>>;
}

/** Reads `gaps.yaml`. Throws a `PetstoreMockError` with file and line for an entry that is incomplete. */
export function loadGaps(path: string, shownAs: string = path): Gap[] {
  const document = readDocument(path, { code: 'unusable-profile', shownAs });
  const list = document.at('/gaps');
  if (!Array.isArray(list)) throw unusable(document, '', 'there is no list of `gaps`.');
  const gaps = list.map((_, index) => readGap(document, `/gaps/${index}`));
  const repeated = gaps.find((gap, index) => gaps.findIndex(({ id }) => id === gap.id) !== index);
  if (repeated !== undefined) throw unusable(document, '/gaps', `the gap ${repeated.id} stands twice.`);
  return gaps;
}

/** The profile of the mock's own choices. */
export function createDefaultProfile(gaps: readonly Gap[]): Profile {
  return { name: 'default', choices: Object.fromEntries(gaps.map((gap) => [gap.id, gap.mock])) };
}

/**
 * What a table has for the choice that a profile makes. Every gap's choices
 * stand in one such table beside the code that acts on them.
 */
export function actOn<T>(profile: Profile, gapId: string, table: Readonly<Record<string, T>>): T {
  const choice = profile.choices[gapId];
  if (choice === undefined || !Object.hasOwn(table, choice)) {
    throw new Error(`the gap ${gapId} has no action for the choice ${String(choice)}`);
  }
  return table[choice] as T;
}

function readGap(document: SourceDocument, pointer: string): Gap {
  const text = (field: string): string => {
    const value = document.at(`${pointer}/${field}`);
    if (typeof value === 'string' && value !== '') return value;
    throw unusable(document, pointer, `a gap needs a text under \`${field}\`.`);
  };
  const gap = {
    id: text('id'),
    question: text('question'),
    section: text('section'),
    choices: readChoices(document, pointer),
    mock: text('mock'),
    why: text('why'),
  };
  if (!Object.hasOwn(gap.choices, gap.mock)) {
    throw unusable(
      document,
      `${pointer}/mock`,
      `${gap.mock} is none of the choices of ${gap.id}: ${Object.keys(gap.choices).join(', ')}.`,
    );
  }
  return gap;
}

function readChoices(document: SourceDocument, pointer: string): Record<string, string> {
  const choices = document.at(`${pointer}/choices`);
  const entries = typeof choices === 'object' && choices !== null ? Object.entries(choices) : [];
  if (entries.length < 2 || !entries.every(([, words]) => typeof words === 'string')) {
    throw unusable(document, pointer, 'a gap needs at least two `choices`, each with a description.');
  }
  return Object.fromEntries(entries);
}

function unusable(document: SourceDocument, pointer: string, message: string): PetstoreMockError {
  return new PetstoreMockError('unusable-profile', message, document.placeOf(pointer));
}
