import { sameJson } from '../../contract/document/json.js';
import { isRecord, show } from './shown.js';
import { isJsonMediaType } from '../../contract/media-types.js';
import { readProperties, readValueShape } from '../../contract/operations/properties.js';
import { answered, fromViolation, type Check, type CheckContext } from './check.js';
import { findLabelled, findRule } from './find-response.js';
import { judgeWriteOnly } from './write-only.js';

export const errorBodyCheck: Check = {
  id: 'error-body',
  title: 'every error has the Error body, whose status repeats the HTTP status',
  run(context) {
    const answer = answered(context);
    const { operation, method } = context.sent;
    if (answer === undefined || operation === undefined || answer.status < 400 || method === 'HEAD') return [];
    const rule = findRule(context);
    const labelled = rule === undefined ? undefined : findLabelled(rule, context);
    const isOpen = labelled === undefined && (rule?.content.length ?? 0) > 1;
    const schema = labelled?.schemaPointer ?? context.contract.errorSchemaPointer;
    if (schema === undefined || isOpen) return [];
    if (context.body.kind === 'none') {
      return [{ rule: 'present', at: 'body', expected: 'the Error body', actual: 'no body', contractPointer: schema }];
    }
    if (context.body.kind !== 'json') return [];
    // A text may quote JSON, and is none for that.
    const mediaType = rule?.content[0]?.mediaType;
    if (mediaType !== undefined && !isJsonMediaType(mediaType) && context.body.problem !== undefined) return [];
    const { value } = context.body;
    const violations = context.contract.validate.value(schema, value);
    const shape = [...violations.map(fromViolation), ...judgeWriteOnly(schema, context)];
    const stated = isRecord(value) ? value['status'] : undefined;
    // What else is wrong with the body says nothing of a status that it has.
    const isToBeRepeated = (violations.length === 0 || isInteger(stated)) && repeatsStatus(schema, context);
    if (!isToBeRepeated || sameJson(stated, answer.status)) return shape;
    return [
      ...shape,
      {
        rule: 'status',
        at: 'body/status',
        expected: `${answer.status}, the HTTP status`,
        value: String(answer.status),
        actual: show(stated),
        contractPointer: schema,
      },
    ];
  },
};

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** In another contract's errors, a status may be something else, or a word. */
function repeatsStatus(schemaPointer: string, { contract: { document } }: CheckContext): boolean {
  const properties = readProperties(document, schemaPointer);
  const status = properties.find(({ name }) => name === 'status');
  const { types } = readValueShape(document, status?.schemaPointer, 0);
  return types.includes('integer') && ['code', 'message'].every((each) => properties.some(({ name }) => name === each));
}
