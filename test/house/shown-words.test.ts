// What users read in reports, lists and profiles has the words of the field (CONTRIBUTING.md, Words).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from '../../src/package-files.js';

/** The same words as in `test/e2e/docs/pages.test.ts`, and those with which titles and reasons used to begin. */
const RETIRED =
  /\b(?:refus(?:e|es|ed|als?)|strangers?|guests?|tid(?:y|ies)|spoiled|in vain|now and then|worth a look|left behind|answer(?:s|ed)?|leads nowhere)\b/i;

/** Members whose text is shown to users. */
const SHOWN = new Set(['title', 'otherwise', 'needs', 'question', 'why', 'none', 'item', 'summary', 'description']);

/** Names of effects and keys of the profile are ids. */
const withoutIds = (text: string): string => text.replaceAll(/`[^`]+`|\{\$?[^}]+\}|One of status, answer, /g, '');

function listRetired(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return SHOWN.has(name) && RETIRED.test(withoutIds(value)) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => listRetired(each, Array.isArray(value) ? name : key));
}

function listFiles(folder: string): string[] {
  return readdirSync(packageFile(folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(folder, name));
}

const FILES = [
  ...listFiles('scenarios'),
  ...listFiles('scenarios/contracts'),
  'spec/gaps.yaml',
  'spec/admin.openapi.yaml',
];

test.each(FILES)('%s has the words of the field', (file) => {
  expect(listRetired(parse(readFileSync(packageFile(file), 'utf8')))).toEqual([]);
});

test('a retired word is found in what is shown, and not in an id', () => {
  const scenario = { id: 'refused', title: 'a body that is not JSON is refused', steps: [{ id: 'refused' }] };
  expect(listRetired({ scenarios: [scenario] })).toEqual(['a body that is not JSON is refused']);
});
