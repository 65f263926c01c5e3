import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

type Size = readonly [lines: number, files: number];

/**
 * How large each room of `src/` and the tests may be. A ceiling is only ever lowered: what a change adds, it takes away elsewhere
 * in the room. The test prints the line to write here when a room has become smaller.
 */
const CEILINGS: Readonly<Record<string, Size>> = {
  src: [65155, 283],
  test: [54834, 527],
  'src/cli': [4637, 27],
  'src/conformance': [20365, 63],
  'src/console': [6386, 42],
  'src/contract': [12051, 45],
  'src/mcp': [1684, 11],
  'src/mock': [8855, 34],
  'src/options': [323, 3],
  'src/redact': [537, 3],
  'src/report': [2593, 16],
  'src/server': [6772, 29],
  'src/testing': [735, 6],
};

/** A room may be so many lines below its ceiling before the ceiling is to follow. */
const SLACK = 150;

function measure(folder: string): Size {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile());
  return [paths.reduce((sum, path) => sum + readFileSync(path, 'utf8').split('\n').length - 1, 0), paths.length];
}

/** What is wrong with a room of this size, if anything. */
function judge(room: string, [lines, files]: Size, [mostLines, mostFiles]: Size): string | undefined {
  if (lines > mostLines) return `${room} has ${lines} lines, more than its ${mostLines}`;
  if (files > mostFiles) return `${room} has ${files} files, more than its ${mostFiles}`;
  return lines < mostLines - SLACK ? `${room} has become smaller; write: '${room}': [${lines}, ${files}]` : undefined;
}

test('every room of src/ has a ceiling', () => {
  const rooms = readdirSync(packageFile('src'), { withFileTypes: true }).filter((each) => each.isDirectory());
  expect(Object.keys(CEILINGS).sort()).toEqual([...rooms.map(({ name }) => `src/${name}`), 'src', 'test'].sort());
});

test('no room grows, and the ceiling of one that has become smaller follows', () => {
  const problems = Object.entries(CEILINGS).map(([room, most]) => judge(room, measure(packageFile(room)), most));
  expect(problems.filter((each) => each !== undefined)).toEqual([]);
});

test.each<[string, Size, string | undefined]>([
  ['as large as it may be', [1000, 10], undefined],
  ['a line more', [1001, 10], 'src/a has 1001 lines, more than its 1000'],
  ['a file more', [900, 11], 'src/a has 11 files, more than its 10'],
  ['much smaller', [700, 9], "src/a has become smaller; write: 'src/a': [700, 9]"],
])('a room that is %s', (_, size, problem) => expect(judge('src/a', size, [1000, 10])).toBe(problem));
