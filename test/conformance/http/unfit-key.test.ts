import { expect, test } from 'vitest';
import type { Violation } from '../../../src/contract/schemas/violation.js';
import type { Operation } from '../../../src/contract/model.js';
import { checkKeys } from '../../../src/conformance/http/prepare-request.js';

const KEY = '$scenarios.boats/records/create.outputs.key';

function check(
  template: string,
  { part = 'body', path = '/trips' }: { part?: Violation['part']; path?: string } = {},
): void {
  const violation: Partial<Violation> = {
    part,
    pointer: '/boatId',
    at: `${part}/boatId`,
    expected: 'an integer',
    actual: '"b-1"',
  };
  const operation = { path } as Operation;
  checkKeys(
    { requestBody: { json: { boatId: template } }, parameters: { boatId: template } },
    { violations: [violation as Violation], operation },
  );
}

test('the key of another record must fit; a form of it that is tried on purpose, and the key of the record itself, need not', () => {
  const reason = 'it needs a key that body/boatId may have (an integer); the target makes keys such as "b-1"';
  expect(() => check(KEY)).toThrow(reason);
  expect(() => check(`{${KEY}}`)).toThrow(reason);
  expect(() => check(KEY, { part: 'path', path: '/boats/{boatId}/trips' })).toThrow('path/boatId');
  expect(() => check(KEY, { part: 'path', path: '/boats/{boatId}' })).not.toThrow();
  expect(() => check(`{${KEY}}.0`)).not.toThrow();
  expect(() => check('$steps.create.outputs.key')).not.toThrow();
});
