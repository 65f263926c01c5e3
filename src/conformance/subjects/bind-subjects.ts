import type { Contract } from '../../contract/contract.js';
import { escapePointer } from '../../contract/document/document.js';
import { readOnce } from '../../contract/read-once.js';
import { plainName } from '../../contract/resources/words.js';
import { Inapplicable, type Binding } from './binding.js';
import { newKeyOf } from './keys/put-new.js';
import { readAsFound } from './found/found.js';
import { readRest } from './found/rest.js';
import { makeRecords } from './records/make-records.js';
import { creatorOf, NONE_MADE } from './records/made-records.js';
import { listReferences } from './keys/references.js';
import { findReferred, readSubjects, type Subject } from './subject.js';

export interface BoundSubjects {
  bindings: Binding[];
  /** What cannot be tested, and why: sentences without a full stop. */
  notes: string[];
  /** What is only read, and why, likewise. */
  found: string[];
}

/**
 * Every resource whose records can be created, in an order that creates what a resource needs before the resource
 * itself.
 */
export const bindSubjects = readOnce(bindAll);

function bindAll(contract: Contract): BoundSubjects {
  const all = readSubjects(contract);
  const bindings: Binding[] = [];
  const notes: string[] = [];
  const found: string[] = [];
  for (const subject of orderByNeed(all, contract)) {
    const there = contract.readOnly === true ? bindFound(subject, bindings, contract) : undefined;
    if (there !== undefined) {
      bindings.push(there);
      continue;
    }
    const bound = bindSubject(subject, bindings, all, contract);
    if (typeof bound !== 'string') {
      bindings.push(bound);
      continue;
    }
    const read = bindFound(subject, bindings, contract);
    (read === undefined ? notes : found).push(`${subject.resource.collectionPath}: ${bound}`);
    if (read !== undefined) bindings.push(read);
  }
  const rest = readRest(
    bindings.map(({ subject }) => subject),
    contract,
  );
  if (rest !== undefined)
    bindings.push({ subject: rest, made: NONE_MADE, contract, parent: undefined, scope: {}, dependsOn: [] });
  return { bindings, notes, found };
}

/**
 * Resources to which others refer come first; where they refer to each other, the first goes without: the one that has a list of the
 * others, which belong to it.
 */
function orderByNeed(subjects: readonly Subject[], contract: Contract): Subject[] {
  const ordered: Subject[] = [];
  const waiting = new Set(subjects);
  const listNeeded = (each: Subject): (Subject | undefined)[] =>
    each.fields
      .flatMap((field) => listReferences(field, each, subjects, contract).map(({ to }) => to))
      .concat(each.parent ?? []);
  while (waiting.size > 0) {
    const isReady = (each: Subject): boolean =>
      listNeeded(each).every((other) => other === undefined || other === each || ordered.includes(other));
    const next = [...waiting].find(isReady) ?? [...waiting].find((each) => hasListOf(each, waiting)) ?? [...waiting][0];
    if (next === undefined) break;
    waiting.delete(next);
    ordered.push(next);
  }
  return ordered;
}

function hasListOf(owner: Subject, others: Iterable<Subject>): boolean {
  const lists = owner.fields.filter(({ type }) => type === 'array').map(({ name }) => plainName(name));
  return [...others].some(
    (other) =>
      other !== owner &&
      lists.includes(`${plainName(other.resource.singular)}s`) &&
      other.fields.some((field) => findReferred(field, other, [owner]) === owner),
  );
}

function bindSubject(
  subject: Subject,
  earlier: readonly Binding[],
  all: readonly Subject[],
  contract: Contract,
): Binding | string {
  const ready = all.filter((each) => each === subject || earlier.some((other) => other.subject === each));
  const place = bindScope(subject, earlier);
  const made = makeRecords(subject, ready, contract, place.scope);
  if ('lacking' in made) return made.lacking;
  const binding = {
    subject,
    made,
    contract,
    parent: findBound(subject.parent, earlier),
    scope: place.scope,
    dependsOn: [...new Set([...made.dependsOn, ...place.dependsOn])],
  };
  return subject.putsNew === undefined || hasNewKey(binding)
    ? binding
    : `no key that the contract allows a new ${subject.resource.singular} could be made from it`;
}

/** A resource that is read as it is, in the places that the run knows. */
function bindFound(subject: Subject, earlier: readonly Binding[], contract: Contract): Binding | undefined {
  const read = readAsFound(subject, contract);
  if (read === undefined) return undefined;
  const { scope, dependsOn } = bindScope(read, earlier);
  const parent = findBound(subject.parent, earlier);
  return { subject: read, made: NONE_MADE, contract, parent, scope, dependsOn };
}

function findBound(subject: Subject | undefined, bindings: readonly Binding[]): Binding | undefined {
  return subject === undefined ? undefined : bindings.find((each) => each.subject.name === subject.name);
}

function hasNewKey(binding: Binding): boolean {
  try {
    return newKeyOf(binding) !== '';
  } catch (error) {
    if (error instanceof Inapplicable) return false;
    throw error;
  }
}

const GIVEN = '$run.parameters#/';

/** Whether a value of a path is none that the run finds out by itself. */
export function isFree(value: string | undefined): boolean {
  return value?.startsWith(GIVEN) === true;
}

/** The path of a nested resource contains the key of a record that the run created, or what only the user knows. */
function bindScope(
  { resource, parent, isFound }: Subject,
  earlier: readonly Binding[],
): { scope: Record<string, string>; dependsOn: string[] } {
  if (resource.scope.length === 0) return { scope: {}, dependsOn: [] };
  const owner = findBound(parent, earlier);
  // Nothing is created among what belongs to others, unless the user names a place for it.
  const isOthers = owner?.subject.isFound === true && isFound !== true;
  if (owner === undefined || isOthers || Object.keys(owner.scope).length !== resource.scope.length - 1) {
    const given = resource.scope.map((name) => [name, `${GIVEN}${escapePointer(name)}`]);
    return { scope: Object.fromEntries(given) as Record<string, string>, dependsOn: [] };
  }
  const { id, output } = creatorOf(owner.subject);
  const values = [...Object.values(owner.scope), `$scenarios.${id}.outputs.${output}`];
  return {
    scope: Object.fromEntries(resource.scope.map((name, index) => [name, values[index] ?? ''])),
    dependsOn: [...owner.dependsOn, id],
  };
}
