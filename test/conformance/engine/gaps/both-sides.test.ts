import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { observers } from '../../../../src/conformance/engine/gap-observers.js';
import { planRun } from '../../../../src/conformance/product/plan-run.js';
import { packageFile } from '../../../../src/package-files.js';
import { gapEntries, shippedGaps } from '../../../support/shipped.js';

const { scenarios } = planRun({});

/** The gaps that the mock's code asks a profile for. */
function listConsulted(): Set<string> {
  const folder = packageFile('src/mock');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const named = [
    ...text.matchAll(/actOn\([^,]+, '([a-z-]+)'|gap: '([a-z-]+)'|(?:values\?\.|seen(?:\?\.)?|choices)\['([a-z-]+)'\]/g),
  ];
  const chosen = text.includes("'missing-media-type' : 'wrong-media-type'")
    ? ['missing-media-type', 'wrong-media-type']
    : [];
  return new Set([...named.map(([, a, b, c]) => a ?? b ?? c ?? ''), ...chosen]);
}

/** The gaps of which the mock can show nothing, whatever a profile has seen. */
const NOT_SHOWN = ['error-fields', 'paging-headers', 'pet-fields', 'rate-limiting'];

test('the mock consults every gap that it can show, and no other', () => {
  const shown = gapEntries.map(({ id }) => id).filter((id) => !NOT_SHOWN.includes(id));
  expect([...listConsulted()].sort()).toEqual(shown.sort());
});

test('the runner observes every gap, by scenarios of its own or by an observer', () => {
  // Nothing of the petstore leaves these open: `resource-gaps.slow.test.ts` looks at them.
  const elsewhere = gapEntries.filter(({ contract }) => contract === undefined).map(({ id }) => id);
  const byObservers = Object.keys(observers).filter((id) => !elsewhere.includes(id));
  const observed = new Set([...scenarios.flatMap(({ gap }) => gap ?? []), ...byObservers]);
  expect([...observed].sort()).toEqual(shippedGaps.map(({ id }) => id).sort());
});

test('no gap is observed in two ways', () => {
  expect(scenarios.filter(({ gap }) => gap !== undefined && Object.hasOwn(observers, gap)).map(({ id }) => id)).toEqual(
    [],
  );
});

test('where scenarios observe a gap, they have an outcome for each of its choices', () => {
  const missing = shippedGaps
    .filter(({ id }) => scenarios.some(({ gap }) => gap === id))
    .flatMap(({ id, choices }) => {
      const steps = scenarios.filter(({ gap }) => gap === id).flatMap((each) => each.steps);
      const named = steps.flatMap(({ outcomes }) => outcomes ?? []).map(({ choice }) => choice);
      return Object.keys(choices)
        .filter((choice) => !named.includes(choice))
        .map((choice) => `${id}: ${choice}`);
    });
  expect(missing).toEqual([]);
});
