import { expect, test } from 'vitest';
import { joinSteps } from '../../../src/conformance/engine/run-scenario.js';

test('steps that were gone through again stand once, in the order of the first go, with what they ask for', () => {
  const first = [
    { id: 'create', exchanges: [] },
    { id: 'get', asks: 'absent' as const, exchanges: [] },
  ];
  const joined = joinSteps([...first, { id: 'get', exchanges: [] }, { id: 'list', exchanges: [] }], () => []);
  expect(joined).toEqual([...first, { id: 'list', exchanges: [] }]);
});
