import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBaseline, writeProfile } from '../../src/conformance/product/profile-and-baseline.js';
import { runConformance } from '../../src/conformance/product/run-conformance.js';
import { reportFormats } from '../../src/report/index.js';
import { runRunner } from '../conformance/support/runner-program.js';
import { ENCODINGS } from './support/encodings.js';
import { createRedactor } from '../../src/redact/redactor.js';
import { findKey } from './support/find-key.js';
import { PLACES, startLeakyTarget, type LeakyTarget, type Place } from './support/leaky-target.js';

let target: LeakyTarget;

beforeAll(async () => {
  target = await startLeakyTarget();
});
afterAll(() => target.close());

/** Some of what each kind of answer is asked for. */
const ONLY = ['pets/lists/at-start', 'pets/records/create', 'pets/records/unknown', 'pets/lists/filter-alone*'];

/** All that a run gives: result, events, every report, baseline and profile, by name. */
async function runForAll(apiKey: string): Promise<Record<string, string>> {
  const events: unknown[] = [];
  const result = await runConformance({
    target: target.url,
    apiKey,
    strict: true,
    only: ONLY,
    settleMs: 0,
    // The last one has the result, which the JSON report has too.
    onEvent: (event) => event.type !== 'runFinished' && events.push(event),
  });
  const reports = Object.entries(reportFormats).map(([name, format]): [string, string] => [
    name,
    format.write(result, { color: false, quiet: false }),
  ]);
  return {
    ...Object.fromEntries(reports),
    events: JSON.stringify(events),
    baseline: writeBaseline(result, undefined).text,
    profile: writeProfile(result),
  };
}

function findLeaks(outputs: Record<string, string>, key: string): string[] {
  return Object.entries(outputs).flatMap(([name, text]) => {
    const found = findKey(text, key);
    return found === undefined ? [] : [`${name}: ${found}`];
  });
}

const KEY = "S3cret/Kéy+42&<it's>~%2F-_x".replace('é', 'e');

const letters = "ABCdefGHIjklMNOpqrSTUvwxyz0123456789/+=&<>'._~%-";
const keys = fc.oneof(
  fc.string({ unit: fc.constantFrom(...letters.split('')), minLength: 12, maxLength: 40 }),
  fc.stringMatching(/^[1-9]\d{13,15}$/),
);
/** Signs that encodings write in other ways. */
const keysOfSigns = fc.string({ unit: fc.constantFrom(...'~?>/+<%&'.split('')), minLength: 12, maxLength: 20 });
/** Every place but those that are the whole of a body. */
const MANY = PLACES.filter((place) => place !== 'body text' && place !== 'long body');
const placeSets = fc.oneof(
  fc.constantFrom(...PLACES).map((place): Place[] => [place]),
  fc.subarray<Place>(MANY, { minLength: 2 }),
);
const encodings = fc.constantFrom(...Object.keys(ENCODINGS));

test('a key that is written in any encoding stands in nothing that a redactor gives', () => {
  fc.assert(
    fc.property(fc.oneof(keys, keysOfSigns), encodings, (key, encoding) => {
      const text = JSON.stringify({ message: `key ${ENCODINGS[encoding]?.(key)}. ` });
      expect(findKey(createRedactor([key])(text), key)).toBeUndefined();
    }),
    { numRuns: 10_000 },
  );
});

test('a key that a target puts anywhere, in any encoding, stands in nothing that a run gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ key: keys, encoding: encodings, places: placeSets, cut: fc.nat(40) }),
      async ({ key, encoding, places, cut }) => {
        const text = ENCODINGS[encoding]?.(key) ?? '';
        target.plant = { text, places: new Set(places), padding: 16_384 - '{"x":"'.length - cut };
        expect(findLeaks(await runForAll(key), key)).toEqual([]);
      },
    ),
    { numRuns: 15, endOnFailure: true },
  );
});

test.each(['escapes of JSON, here and there', 'JSON for a page', 'a URL, here and there', 'raw'])(
  'the program writes no key that comes as %s to any stream or file',
  async (encoding) => {
    target.plant = { text: ENCODINGS[encoding]?.(KEY) ?? '', places: new Set(MANY), padding: 0 };
    const folder = mkdtempSync(join(tmpdir(), 'petstore-keys-'));
    const file = (name: string): string => join(folder, name);
    const args = ['--target', target.url, '--strict', ...ONLY.flatMap((id) => ['--only', id])];
    const outputs = ['--report', Object.keys(reportFormats).join(','), '--report-dir', folder];
    const written = ['--write-baseline', file('known.yaml'), '--write-profile', file('profile.yaml')];
    const env = { PETSTORE_API_KEY: KEY, GITHUB_STEP_SUMMARY: file('summary.md') };
    const { stdout, stderr } = await runRunner([...args, ...outputs, ...written], { env });
    const files = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(file(name), 'utf8')]));
    expect(Object.keys(files)).toContain('known.yaml');
    expect(findLeaks({ stdout, stderr, ...files }, KEY)).toEqual([]);
  },
);
