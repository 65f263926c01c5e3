import type { Contract } from '../../contract/contract.js';
import { readProperties, type Property } from '../../contract/operations/properties.js';
import { findNearest, suggest } from '../../suggest.js';
import { within, type Mistake } from '../judge/keyword.js';
import { findAsked } from '../ledger/shown-records.js';
import { isRecord, show } from '../judge/shown.js';
import type { Expectation, Step } from '../model/scenario.js';
import { isReference } from '../http/template.js';
import type { Library } from './library.js';

/** What is wrong with `record` and `records` of a file, by the records that the operation of the step answers. */
export function findBadRecords(expectation: Expectation, step: Step, { contract }: Library): Mistake | undefined {
  const operation = contract.operations.find(({ id }) => id === step.operationId);
  const asked = findAsked(contract, { operation });
  for (const word of ['record', 'records'] as const) {
    if (expectation[word] === undefined) continue;
    const body = asked?.role.success.body;
    if (asked === undefined || body !== (word === 'record' ? 'record' : 'list'))
      return { at: `/${word}`, message: describeMisplaced(word, step, body) };
    const fields = readProperties(contract.document, asked.subject.resource.schemaPointer);
    const own = { [word]: expectation[word] };
    const mistake = findBadValue(own, fields, contract) ?? findStranger(own, fields);
    if (mistake !== undefined) return within(`/${word}`, mistake);
  }
  return undefined;
}

/** A value of `every` that no record can have. */
function findBadValue(
  { records }: Expectation,
  fields: readonly Property[],
  { validate }: Contract,
): Mistake | undefined {
  for (const [name, value] of Object.entries(records?.every ?? {})) {
    const at = `/every/${name}`;
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return { at, message: describeStranger(name, fields) };
    const [violation] = isReference(value) ? [] : validate.value(field.schemaPointer, value);
    if (violation === undefined) continue;
    const { expected } = violation;
    const message = `no record can have ${show(value)} as \`${name}\`: it is ${expected}${suggestValue(value, expected)}`;
    return { at, message };
  }
  return undefined;
}

/** A field of `like` that no record has. */
function findStranger({ record, records }: Expectation, fields: readonly Property[]): Mistake | undefined {
  const named = [record?.like, ...(records?.has ?? []).map(({ like }) => like)].filter(isRecord);
  const stranger = named.flatMap(Object.keys).find((name) => fields.every((each) => each.name !== name));
  return stranger === undefined ? undefined : { at: '', message: describeStranger(stranger, fields) };
}

function describeStranger(name: string, fields: readonly Property[]): string {
  const known = fields.map((each) => each.name);
  return `a record has no \`${name}\`${suggest(name, known)}`;
}

function describeMisplaced(word: string, { operationId, request }: Step, body: string | undefined): string {
  const looks = word === 'record' ? 'one record' : 'a list';
  if (request !== undefined)
    return `\`${word}\` looks at ${looks} of an operation, and ${request.method} ${request.path} names none; \`operationId\` does.`;
  const is = body === 'list' ? 'is a list' : `is no ${word === 'record' ? 'record' : 'list'}`;
  return `\`${word}\` looks at ${looks}, and the response of ${operationId ?? ''} ${is}; \`equals\` and \`body\` look at either.`;
}

/** The listed value that was hardly another. */
function suggestValue(value: unknown, expected: string): string {
  const near = findNearest(String(value), expected.match(/[\w-]+/g) ?? []);
  return near === undefined ? '.' : `; did you mean ${near}?`;
}
