import { readProperties } from '../../contract/operations/properties.js';
import { findNearest, suggest } from '../../suggest.js';
import { within, type Mistake } from '../judge/keyword.js';
import { findAsked } from '../judge/shown-record.js';
import { isRecord, show } from '../judge/shown.js';
import type { Expectation, Step } from '../model/scenario.js';
import { isReference } from '../wire/request/template.js';
import type { Library } from './library.js';

/** What is wrong with `record` and `records` of a file, by the records that the operation of the step answers. */
export function findBadRecords({ record, records }: Expectation, step: Step, library: Library): Mistake | undefined {
  if (record === undefined && records === undefined) return undefined;
  const word = record === undefined ? 'records' : 'record';
  const { contract } = library;
  const operation = contract.operations.find(({ id }) => id === step.operationId);
  const asked = findAsked(contract, { operation });
  const wanted = word === 'record' ? 'record' : 'list';
  if (asked === undefined || asked.role.success.body !== wanted)
    return { at: `/${word}`, message: describeMisplaced(word, step, asked?.role.success.body) };
  const fields = readProperties(contract.document, asked.subject.resource.schemaPointer);
  const every = Object.entries(records?.every ?? {});
  for (const [name, value] of every) {
    const field = fields.find((each) => each.name === name);
    const at = `/records/every/${name}`;
    if (field === undefined)
      return {
        at,
        message: `a record has no \`${name}\`${suggest(
          name,
          fields.map((each) => each.name),
        )}`,
      };
    const [violation] = isReference(value) ? [] : contract.validate.value(field.schemaPointer, value);
    if (violation !== undefined)
      return {
        at,
        message: `no record can have ${show(value)} as \`${name}\`: it is ${violation.expected}${suggestValue(value, violation.expected)}`,
      };
  }
  const named = [record?.like, ...(records?.has ?? []).map(({ like }) => like)].filter(isRecord);
  const stranger = named.flatMap(Object.keys).find((name) => fields.every((each) => each.name !== name));
  if (stranger === undefined) return undefined;
  return within(`/${word}`, {
    at: '',
    message: `a record has no \`${stranger}\`${suggest(
      stranger,
      fields.map((each) => each.name),
    )}`,
  });
}

function describeMisplaced(word: string, { operationId, request }: Step, body: string | undefined): string {
  const looks = word === 'record' ? 'one record' : 'a list';
  if (request !== undefined)
    return `\`${word}\` looks at ${looks} of an operation, and ${request.method} ${request.path} names none; \`operationId\` does.`;
  const is = body === 'list' ? 'is a list' : `is no ${word === 'record' ? 'record' : 'list'}`;
  return `\`${word}\` looks at ${looks}, and the answer of ${operationId ?? ''} ${is}; \`equals\` and \`body\` look at either.`;
}

/** The listed value that was hardly another. */
function suggestValue(value: unknown, expected: string): string {
  const near = findNearest(String(value), expected.match(/[\w-]+/g) ?? []);
  return near === undefined ? '.' : `; did you mean ${near}?`;
}
