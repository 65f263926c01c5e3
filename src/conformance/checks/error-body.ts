import { sameJson } from '../../contract/document/same-json.js';
import { isPet, show } from './pets.js';
import { listProperties } from '../../contract/operations/properties.js';
import { answered, fromViolation, type Check, type CheckContext } from './check.js';
import { findRule } from './find-response.js';

export const errorBodyCheck: Check = {
  id: 'error-body',
  title: 'every error carries the Error body, whose status repeats the HTTP status',
  run(context) {
    const answer = answered(context);
    const { operation, method } = context.sent;
    if (answer === undefined || operation === undefined || answer.status < 400 || method === 'HEAD') return [];
    const rule = findRule(context);
    const schema = rule?.content[0]?.schemaPointer ?? context.contract.errorSchemaPointer;
    if (schema === undefined) return [];
    if (context.body.kind === 'none') {
      return [{ rule: 'present', at: 'body', expected: 'the Error body', actual: 'no body', contractPointer: schema }];
    }
    if (context.body.kind !== 'json') return [];
    const { value } = context.body;
    const violations = context.contract.validate.value(schema, value);
    if (violations.length > 0) return violations.map(fromViolation);
    if (!repeatsStatus(schema, context)) return [];
    const stated = isPet(value) ? value['status'] : undefined;
    if (sameJson(stated, answer.status)) return [];
    return [
      {
        rule: 'status',
        at: 'body/status',
        expected: `${answer.status}, the HTTP status`,
        actual: show(stated),
        contractPointer: schema,
      },
    ];
  },
};

/** In another contract's errors, a status may be something else, or a word. */
function repeatsStatus(schemaPointer: string, { contract }: CheckContext): boolean {
  const names = listProperties(contract.document, schemaPointer);
  return ['code', 'message', 'status'].every((name) => names.has(name));
}
