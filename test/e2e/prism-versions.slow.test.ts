import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createPrismAnswer, type PrismOutcome } from '../../src/mock/response/from-contract.js';
import { isMissing } from '../support/optional-tool.js';
import { parseContract } from '../support/parse-contract.js';

// The oldest and the newest Prism of the peer range, each where it is installed.

const contract = parseContract(
  `openapi: 3.1.0
info: { title: T, version: 1.0.0 }
paths:
  /who:
    get:
      operationId: getWho
      responses:
        '200':
          description: Somebody.
          content:
            application/json:
              schema: { type: object, required: [who], properties: { who: { type: string, maxLength: 9 } } }
              examples: { rex: { value: { who: Rex } }, tom: { value: { who: Tom } } }
`,
  { shownAs: 'who.yaml' },
);
const [operation] = contract.operations;

const CURRENT = fileURLToPath(new URL('prism-current/package.json', import.meta.url));
const isThere = existsSync(fileURLToPath(new URL('prism-current/node_modules', import.meta.url)));
const withoutCurrent = isMissing({
  found: isThere,
  name: 'the current Prism',
  howToGet: 'npm ci --ignore-scripts --prefix test/e2e/prism-current',
});

describe.each([
  ['5.12.0', import.meta.url, false],
  ['5.16.0', CURRENT, withoutCurrent],
])('Prism %s', (version, place, isLeftOut) => {
  test.skipIf(isLeftOut)('answers with examples, and generates the same for the same seed', () => {
    const load = createRequire(createRequire(place).resolve('@stoplight/prism-http'));
    expect(load('../package.json')).toMatchObject({ version });
    const answer = createPrismAnswer(load, contract);
    const ask = (more: object): PrismOutcome => {
      if (operation === undefined) throw new Error('there is no operation');
      const none = { code: undefined, exampleKey: undefined, accept: undefined };
      const wish = { ...none, dynamic: false, seed: 'a', mediaTypes: ['application/json'] };
      return answer(operation, { ...wish, ...more });
    };
    expect(ask({})).toMatchObject({ kind: 'answer', status: 200, body: { who: 'Rex' } });
    expect(ask({ exampleKey: 'tom' })).toMatchObject({ body: { who: 'Tom' } });
    const generated = ask({ dynamic: true });
    expect(generated).toMatchObject({ kind: 'answer', body: { who: expect.any(String) } });
    expect(ask({ dynamic: true })).toEqual(generated);
    expect(ask({ dynamic: true, seed: 'b' })).not.toEqual(generated);
  });
});
