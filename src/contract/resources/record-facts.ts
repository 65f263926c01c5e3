import type { Operation } from '../model.js';
import type { Property } from '../operations/properties.js';
import { compareProperties, type Judge } from './bodies/find-record.js';
import type { Correction } from './corrections/correction.js';
import type { Role } from './resource.js';
import type { SchemaView } from './schema-view.js';
import { stemOf } from './words.js';

/** The facts about a resource's record, on which the roles of its operations depend. */
export interface RecordFacts {
  /** The collection's plain name and its singular. */
  name: string;
  stem: string;
  schemaPointer: string;
  key: Property;
  /** The user's statement about where records are. */
  members: NonNullable<Correction['members']>;
  /** Says whether a schema describes such a record. */
  judge: Judge;
}

export interface RoleFinder {
  view: SchemaView;
  record: RecordFacts;
  /** Called for each operation without a role. */
  note(operation: Operation, why: string): void;
  /** The user's statement about an operation's role, if there is one. */
  roleOf(operation: Operation): Role | false | undefined;
}

/** A finder for singletons, which have no key. */
export function createFinderOfOne(
  view: SchemaView,
  { name, schemaPointer }: { name: string; schemaPointer: string },
): RoleFinder {
  const own = view.settle(schemaPointer);
  const key = { name: '', required: false, schemaPointer };
  const judge: Judge = (pointer) => (view.settle(pointer) === own ? 'same' : undefined);
  return {
    view,
    record: { name, stem: stemOf(name), schemaPointer, key, members: {}, judge },
    note: () => {},
    roleOf: () => undefined,
  };
}

/** How similar another form of the record must be, such as the short form in a list, or that of a create. */
const ENOUGH = 0.6;

/** Judges whether schemas describe the record: in full, or in a shorter or longer form with the same key. */
export function createJudge(view: SchemaView, schemaPointer: string, key: Property): Judge {
  const own = view.settle(schemaPointer);
  const known = new Map<string, ReturnType<Judge>>([[own, 'same']]);
  return (pointer) => {
    const at = view.settle(pointer);
    if (!known.has(at)) known.set(at, judgeLikeness(view, at, own, key));
    return known.get(at);
  };
}

function judgeLikeness(view: SchemaView, at: string, own: string, key: Property): ReturnType<Judge> {
  // A key that records do not show is no member to look for.
  if (!view.properties(own).has(key.name)) return compareProperties(view, at, own) === 1 ? 'alike' : undefined;
  const theirs = view.properties(at).get(key.name);
  if (theirs === undefined || !areOneType(view, theirs, key) || !view.isCertain(at, key.name)) return undefined;
  const [there, here] = [compareProperties(view, at, own, key.name), compareProperties(view, own, at, key.name)];
  // A schema with exactly the same properties is a copy.
  if (there === 1 && here === 1) return 'same';
  return Math.max(there, here) >= ENOUGH ? 'alike' : undefined;
}

function areOneType(view: SchemaView, one: Property, other: Property): boolean {
  const [types, others] = [view.types(one.schemaPointer), view.types(other.schemaPointer)];
  const isText = (all: readonly string[]): boolean => all.includes('string');
  return types.length === 0 || others.length === 0 || isText(types) === isText(others);
}

/** Whether a request has a record, or mostly properties of one. */
export function isLikeRecord(view: SchemaView, pointer: string, { schemaPointer, key }: RecordFacts): boolean {
  const own = view.settle(schemaPointer);
  return view.settle(pointer) === own || compareProperties(view, pointer, own, key.name) >= HALF;
}

const HALF = 0.5;
