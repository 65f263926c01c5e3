import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

const ROOM = 'src/conformance/problems';

/** A read of what an id says: its parts, or what it is matched with. */
const OF_IDS =
  /\b(?:id|scenarioId|step)\b\)?\??\.(?:includes|startsWith|endsWith|split|match|replace|slice)\(|\.(?:test|exec)\([^()]*\.(?:id|step)\)|place\.step === '/;

/** A read of what was printed for people: the words behind a value, and statuses in a row. */
const OF_WORDS =
  /\b(?:expected|title|headline|reason)\b\??\.(?:includes|startsWith|endsWith|split|match|replace|slice)\(|\.(?:test|exec)\([^()]*\b(?:expected|title|reason)\)/;

const listReading = (text: string, reads: RegExp): string[] =>
  text.split('\n').filter((line) => reads.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line));

function readRoom(): string {
  const paths = readdirSync(packageFile(ROOM), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  return paths.map((path) => readFileSync(packageFile(`${ROOM}/${path}`), 'utf8')).join('\n');
}

test('no problem is told by reading the id of a scenario or a step', () =>
  expect(listReading(readRoom(), OF_IDS)).toEqual([]));

test('no problem is told by reading what a check or a scenario says in words', () =>
  expect(listReading(readRoom(), OF_WORDS)).toEqual([]));

test.each([
  ["scenario.id.endsWith('/records/get')", OF_IDS],
  ['FILTERED.exec(scenario.id)', OF_IDS],
  ["place.step === 'get'", OF_IDS],
  ["finding.expected.split(' or ')", OF_WORDS],
  ['/404/.test(finding.expected)', OF_WORDS],
])('a read such as %s is found', (line, reads) => expect(listReading(line, reads)).toEqual([line]));
