// The records that a user gives for a resource, as the bodies of its creates.
import type { Contract } from '../../../contract/contract.js';
import type { GivenRecord } from '../../../contract/resources/resource.js';
import { formatPlace, PetstoreMockError, type SourcePlace } from '../../../errors.js';
import { suggest } from '../../../suggest.js';
import { findViolation } from '../request-body.js';
import { fillRecord } from './unique-texts.js';
import { isGiven, readSubjects, type Subject } from '../subject.js';

/** What a create sends of a given record: the fields that a client decides. */
export interface GivenBody {
  body: Readonly<Record<string, unknown>>;
  /** All that the user wrote. */
  whole: Readonly<Record<string, unknown>>;
  place: SourcePlace | undefined;
}

/** Those of a resource, in the order of the file. */
export function readGiven(subject: Subject, { givenRecords }: Contract): GivenBody[] {
  const { name, resource, fields } = subject;
  const found = givenRecords?.byCollection;
  const own = found?.get(resource.name) ?? found?.get(name) ?? [];
  const known = new Set(fields.map((field) => field.name).filter((each) => isGiven(each, subject)));
  return own.map(({ fields: all, place }: GivenRecord) => ({
    body: Object.fromEntries(Object.entries(all).filter(([field]) => known.has(field))),
    whole: all,
    place,
  }));
}

/** Throws a {@link PetstoreMockError} (`unusable-records`) for a collection that there is not, or a record that its create does not take. */
export function checkGivenRecords(contract: Contract): void {
  const { givenRecords } = contract;
  if (givenRecords === undefined) return;
  const subjects = readSubjects(contract);
  const names = subjects.map(({ resource }) => resource.name);
  for (const [name, place] of givenRecords.places) {
    const subject = subjects.find((each) => [each.resource.name, each.name].includes(name));
    if (subject === undefined) {
      const there = names.length === 0 ? ' It has none.' : ` It has ${names.join(', ')}.`;
      throw refuse(`no collection of the contract is called ${name}.${suggest(name, names)}${there}`, place);
    }
    const { create } = subject.roles;
    if (create === undefined) throw refuse(`no operation creates a record of ${name}.`, place);
    for (const { body, place: at } of readGiven(subject, contract)) {
      const problem = findViolation(fillRecord(body), create, contract);
      if (problem !== undefined)
        throw refuse(`${create.operation.id} rejects this ${subject.resource.singular}: ${problem}.`, at);
    }
  }
}

/** `records.yaml:4` */
export function showPlace(place: SourcePlace | undefined): string {
  if (place === undefined) return 'the file of records';
  const { column: _, ...line } = place;
  return formatPlace(line);
}

function refuse(message: string, place: SourcePlace | undefined): PetstoreMockError {
  return new PetstoreMockError('unusable-records', message, place);
}
