import { expect, test } from 'vitest';
import type { ScenarioResult } from '../../../src/conformance/model/result.js';
import { get, headlines, list } from './answers.js';

test('a pet that a list shows again takes the room of as many that can be fetched; two pets of one id have a place each', () => {
  const id = { check: 'unique-ids', rule: 'unique', at: 'body/1/id', expected: 'an id of its own', actual: '7, as at' };
  const unlisted = (pet: number, rule: string): ScenarioResult =>
    get(
      { path: `/pets/${pet}` },
      {
        check: 'listed',
        rule,
        at: 'body/id',
        expected: 'a pet of the list',
        actual: `${pet}, which the list does not`,
      },
    );
  const comparing = (body: string, ...fetched: ScenarioResult[]): ScenarioResult => {
    const shown = list('/pets', id);
    shown.steps[0]!.exchanges[0]!.response = { status: 200, headers: {}, body };
    return { ...shown, steps: [...shown.steps, ...fetched.flatMap(({ steps }) => steps)] };
  };
  const [one, other] = ['Rex', 'Tom'].map((name) => JSON.stringify({ id: 7, name }));
  for (const rule of ['present', 'present-by-status']) {
    expect(headlines(comparing(`[${one},${one}]`, unlisted(8, rule)))).toHaveLength(1);
    expect(headlines(comparing(`[${one},${one}]`, unlisted(8, rule), unlisted(9, rule)))).toHaveLength(2);
    expect(headlines(comparing(`[${one},${other}]`, unlisted(8, rule)))).toHaveLength(2);
    expect(headlines(comparing(`[${one},${other},{"id":…`, unlisted(8, rule)))).toHaveLength(1);
  }
});
