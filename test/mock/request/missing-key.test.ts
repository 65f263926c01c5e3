import { expect, test } from 'vitest';
import { challenge } from '../../../src/mock/request/authenticate.js';
import { createTestWorld, makeRequest } from '../../support/test-world.js';

const world = createTestWorld();

test.each([
  [undefined, 'the API key is missing: send'],
  ['', 'the API key is missing: send'],
  ['petstore-dev-key', 'the Authorization header does not use the Bearer scheme: send'],
  ['Basic cGV0czpwZXRz', 'the Authorization header does not use the Bearer scheme: send'],
  ['Bearer', 'the Authorization header must have exactly one key after Bearer: send'],
  ['Bearer two keys', 'the Authorization header must have exactly one key after Bearer: send'],
  ['Bearer other', 'the API key is not valid'],
])('Authorization: %s is refused with what is wrong with it', (authorization, message) => {
  const headers = authorization === undefined ? {} : { authorization };
  const refused = challenge({ ...makeRequest('GET /v1/pets'), headers }, world.contract.security, world);
  expect(refused?.message).toContain(message);
});
