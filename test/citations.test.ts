import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../src/package-files.js';
import { shippedContract, shippedGaps } from './support/shipped.js';

const STANDARDS =
  /(?:RFC \d+|ECMA-262|SARIF|JSON Schema|Fetch standard|YAML [\d.]+|\(HTML,|Namespaces in XML|IEEE Std [\d.]+)/;
const TEXT = /\.(?:ts|css|html|json|md|ya?ml)$/;

const files = ['src', 'scenarios', 'spec', 'docs'].flatMap((folder) =>
  readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => TEXT.test(name))
    .map((name) => `${folder}/${name}`),
);

/** Citations of sections of which nobody is told of which document, or of one that does not ship. */
function listDeadCitations(text: string): string[] {
  const line = text.replace(/\s*\n\s*(?:\/\/|\*|#)?\s*/g, ' ');
  const sections = [...line.matchAll(/\bsections? \d[\d.]*/gi)];
  const dead = sections.filter(({ index }) => !STANDARDS.test(line.slice(Math.max(0, index - 100), index)));
  return [...dead.map(([found]) => found), ...(line.match(/(?:\(|of the )interface,? section/g) ?? [])];
}

test('a section is cited of an RFC or another standard, never of a document that does not ship', () => {
  const dead = files.flatMap((file) =>
    listDeadCitations(readFileSync(packageFile(file), 'utf8')).map((found) => `${file}: ${found}`),
  );
  expect(dead).toEqual([]);
});

test.each([
  ['(interface, section 7)', true],
  ['section 4.1 of the interface', true],
  ['basis: section 5', true],
  ['RFC 9110, section 15.5.6', false],
  ['// A preflight (Fetch standard,\n// section 3.3.2)', false],
])('of %j it is %s that it leads nowhere', (text, isDead) => expect(listDeadCitations(text).length > 0).toBe(isDead));

test('every gap names a place of the contract that leaves it open', () => {
  const dead = shippedGaps.filter(({ contract }) => shippedContract.document.at(contract.slice(1)) === undefined);
  expect(dead.map(({ id }) => id)).toEqual([]);
});

test('every place of the contract that a comment or a document cites is there', () => {
  const cited = files.flatMap((file) =>
    [...readFileSync(packageFile(file), 'utf8').matchAll(/`#(\/(?:paths|components)\/[^`.$]*)`/g)].map(
      ([, pointer]) => [file, pointer ?? ''],
    ),
  );
  expect(cited.length).toBeGreaterThan(50);
  expect(cited.filter(([, pointer]) => shippedContract.document.at(pointer ?? '') === undefined)).toEqual([]);
});
