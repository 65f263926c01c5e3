import type { Contract } from '../../contract/contract.js';
import { readProperties } from '../../contract/operations/properties.js';
import { findAsked } from '../ledger/shown-records.js';
import type { Expectation } from '../model/scenario.js';
import type { RawStep } from '../model/raw-scenario.js';
import { limitOf } from '../../contract/gaps/gaps-of-contract.js';
import { bindPages } from '../subjects/pages.js';
import { recordAt, type Subject } from '../subjects/subject.js';
import { escape } from '../wire/request/template.js';

/** A step with where its answers have the records of which its file speaks, as the contract of the run says. */
export function placeRecords(step: RawStep, contract: Contract): RawStep {
  const { expect, assume } = step;
  const operation = contract.operations.find(({ id }) => id === step.operationId);
  const asked = findAsked(contract, { operation });
  const at = asked === undefined ? undefined : recordAt(asked.role);
  if (asked === undefined || at === undefined) return step;
  const { resource, fields } = asked.subject;
  const names = readProperties(contract.document, resource.schemaPointer).map(({ name }) => name);
  const place = escape({
    at,
    keyProperty: resource.key.property,
    keyKind: resource.key.kind,
    resource: asked.subject.name,
    fields: fields.filter(({ isShown, name }) => isShown && names.includes(name)).map(({ name }) => name),
  });
  const page = asked.role.role === 'list' ? readPageOf(step, asked.subject, contract) : {};
  return {
    ...step,
    ...(expect === undefined ? {} : { expect: placeIn(expect, place, page) }),
    ...(assume === undefined ? {} : { assume: placeIn(assume, place, page) }),
  };
}

/** The page that a step asks for, where it is the first, and no other is asked for: by its length, an answer tells whether there are more. */
function readPageOf({ parameters = {}, query }: RawStep, subject: Subject, contract: Contract): { page?: unknown } {
  const { walk } = bindPages(subject, { first: true }, contract);
  if (query !== undefined || (walk.parameter !== undefined && Object.hasOwn(parameters, walk.parameter))) return {};
  const limit = limitOf(subject.roles);
  const length = limit === undefined ? undefined : (parameters[limit.name] ?? limit.schema['default']);
  const { length: _length, ...rest } = walk;
  const known = typeof length === 'number' ? { length } : {};
  return { page: escape({ turn: null, before: [], isLast: true, walk: { ...rest, ...known } }) };
}

function placeIn<Given extends Expectation>({ record, records, ...rest }: Given, place: object, page: object): Given {
  return {
    ...rest,
    ...(record === undefined ? {} : { record: { ...place, ...record } }),
    ...(records === undefined ? {} : { records: { ...place, ...page, ...records } }),
  } as Given;
}
