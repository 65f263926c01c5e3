import { expect, test } from 'vitest';
import { bareStep } from '../../../src/conformance/http/prepare-request.js';
import { checkFirstLook } from '../../../src/conformance/engine/probe.js';
import type { WireAnswer } from '../../../src/conformance/model/exchange.js';
import { parseContract } from '../../support/parse-contract.js';
import type { Run } from '../../../src/conformance/engine/run.js';

const steps = ['listBoats', 'listTrips'].map((operationId) => bareStep({ id: 'probe', operationId }));

/** A first look at a target that answers everything with one status. */
function look(status: number): Promise<void> {
  const answer = { kind: 'answered', status, headers: {}, bytes: new Uint8Array() } as unknown as WireAnswer;
  const contract = parseContract('{ "openapi": "3.1.0", "info": { "title": "Boats", "version": "1" }, "paths": {} }', {
    shownAs: 'boats.json',
  });
  const keys = { apiKey: 'key', credentials: {}, tokens: [] };
  const run = { contract, prepareOptions: { basePath: '', keys } } as unknown as Run;
  return checkFirstLook(steps, answer, () => Promise.resolve(answer), { shownAs: 'http://localhost', run });
}

test('a target that has none of the paths is another one; one that has not implemented them is the API', async () => {
  await expect(look(404)).rejects.toThrow('the API is not at http://localhost: listBoats, listTrips');
  await expect(look(401)).rejects.toThrow('rejects the credentials');
  await expect(look(501)).resolves.toBeUndefined();
  await expect(look(200)).resolves.toBeUndefined();
});
