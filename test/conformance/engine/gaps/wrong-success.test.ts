import { expect, test } from 'vitest';
import { runConformance } from '../../../../src/conformance/index.js';
import type { RunResult } from '../../../../src/conformance/model/result.js';
import { answers, changeStatus } from '../../../mutation/mutants/planting.js';
import type { Change } from '../../../mutation/server/behaviour.js';
import { startWith } from '../../../mutation/server/start-server.js';
import { KEY } from '../../support/ask.js';

/** What creates pets and looks at what comes of it. */
const ONLY = [
  'pets/records/*',
  'petstore/status-omitted',
  ...['extra-fields', 'client-id', 'blank-text*', 'text-characters*', 'wrong-media-type'].map(
    (id) => `pets/gaps/${id}`,
  ),
];

async function observe(changes: readonly Change[]): Promise<Record<string, unknown>> {
  const server = await startWith(changes, KEY);
  try {
    return readAnswers(await runConformance({ target: server.url, apiKey: KEY, settleMs: 100, only: ONLY }));
  } finally {
    await server.close();
  }
}

function readAnswers({ gaps }: RunResult): Record<string, unknown> {
  return Object.fromEntries(gaps.map(({ id, answer }) => [id, answer]));
}

test('a success of another status is told once, and shows at each gap what the right one does', async () => {
  const sound = await observe([]);
  const wrong = await observe([
    changeStatus(answers('createPet', 201), 200),
    changeStatus(answers('getPet', 200), 203),
  ]);
  expect(Object.values(sound).filter((answer) => answer !== 'not-observed').length).toBeGreaterThanOrEqual(12);
  expect(wrong).toEqual(sound);
});
