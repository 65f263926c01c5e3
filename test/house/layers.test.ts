import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/package-files.js';

/** The files beside the rooms that every room may import. */
const SHARED = new Set(['errors.ts', 'package-files.ts', 'suggest.ts']);

/** What follows `from`, `import` or `import(`, when it is a path. */
const IMPORTED = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** For each room with imports, the rooms that it imports from; a file beside the rooms is a room. */
function listArrows(files: Record<string, string>): Record<string, string[]> {
  const arrows: Record<string, Set<string>> = {};
  for (const [path, text] of Object.entries(files)) {
    const from = roomOf(path);
    for (const [, specifier = ''] of text.matchAll(IMPORTED)) {
      const to = roomOf(posix.join(posix.dirname(path), specifier.replace(/\.js$/, '.ts')));
      if (to !== from && !SHARED.has(to)) (arrows[from] ??= new Set()).add(to);
    }
  }
  return Object.fromEntries(Object.entries(arrows).map(([from, to]) => [from, [...to].sort()]));
}

function roomOf(path: string): string {
  return path.split('/')[0] ?? path;
}

/** The lines of the diagram in ARCHITECTURE.md: each room, with the rooms that it imports from. */
function readDiagram(markdown: string): { room: string; imports: string[] }[] {
  const lines = (/## Layers.*?```\n(.*?)```/s.exec(markdown)?.[1] ?? '').split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [room = '', imports] = line.split('->').map((part) => part.trim());
    return { room, imports: imports?.split(', ') ?? [] };
  });
}

/** What is wrong with a diagram of these files. */
function compare(markdown: string, files: Record<string, string>): string[] {
  const lines = readDiagram(markdown);
  const actual = listArrows(files);
  const drawn = lines.flatMap(({ room, imports }) => imports.map((to) => `${room} -> ${to}`));
  const present = Object.entries(actual).flatMap(([room, imports]) => imports.map((to) => `${room} -> ${to}`));
  const order = lines.map(({ room }) => room);
  return [
    ...present.filter((arrow) => !drawn.includes(arrow)).map((arrow) => `missing: ${arrow}`),
    ...drawn.filter((arrow) => !present.includes(arrow)).map((arrow) => `nothing imports so: ${arrow}`),
    ...lines.flatMap(({ room, imports }, index) =>
      imports.filter((to) => order.indexOf(to) <= index).map((to) => `points up: ${room} -> ${to}`),
    ),
  ];
}

function readSources(folder: string = 'src'): Record<string, string> {
  const paths = readdirSync(packageFile(folder), { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    paths
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => [path.replaceAll('\\', '/'), readFileSync(packageFile(`${folder}/${path}`), 'utf8')]),
  );
}

/** The folders of a room in the order in which ARCHITECTURE.md has them, the first on top. */
function readFolders(markdown: string, room: string): string[] {
  const block = new RegExp(`Within \`${room}/\`.*?\`\`\`\\n(.*?)\`\`\``, 's').exec(markdown)?.[1] ?? '';
  return block.split('\n').flatMap((line) => /^[\w-]+/.exec(line) ?? []);
}

/** The imports of files that lead to a folder on an earlier line; a file beside the folders stands above all. */
function listBack(order: readonly string[], files: Record<string, string>): string[] {
  const place = (room: string): number => order.indexOf(room);
  return Object.entries(listArrows(files)).flatMap(([from, to]) =>
    to.filter((each) => each !== '..' && place(each) <= place(from)).map((each) => `${from} -> ${each}`),
  );
}

const ARCHITECTURE = readFileSync(packageFile('ARCHITECTURE.md'), 'utf8');

test('the diagram of layers shows every arrow between rooms, and no other', () =>
  expect(compare(ARCHITECTURE, readSources())).toEqual([]));

test('the diagram has a line for every room', () => {
  const rooms = new Set(Object.keys(readSources()).map(roomOf));
  const drawn = readDiagram(ARCHITECTURE).map(({ room }) => room);
  expect(drawn.toSorted()).toEqual([...rooms].filter((room) => !SHARED.has(room)).sort());
});

test('the folders of conformance import only from those below them, and each has a line', () => {
  const files = readSources('src/conformance');
  const order = readFolders(ARCHITECTURE, 'conformance');
  expect(order.toSorted()).toEqual(
    [...new Set(Object.keys(files).map(roomOf))].filter((name) => !name.includes('.')).sort(),
  );
  expect(listBack(order, files)).toEqual([]);
});

test('an import that leads to a folder above is found', () => {
  const files = {
    'low/one.ts': "import { two } from '../high/two.js';\n",
    'high/two.tsx': "import { one } from '../low/one.js';\n",
  };
  expect(listBack(['high', 'low'], files)).toEqual(['low -> high']);
});

const SMALL = '## Layers\n\n```\ncli   -> mock\nmock  -> contract\ncontract\n```\n';
const SOUND = {
  'cli/one.ts': "import type { Two } from '../mock/two.js';\n",
  'mock/two.ts': "export { three } from '../contract/three.js';\nimport { four } from './four.js';\n",
};

test('a sound diagram passes', () => expect(compare(SMALL, SOUND)).toEqual([]));

test('an arrow that the diagram lacks is found', () => {
  const more = { ...SOUND, 'cli/more.ts': "const late = await import('../contract/three.js');\n" };
  expect(compare(SMALL, more)).toEqual(['missing: cli -> contract']);
});

test('an arrow that nothing imports any more is found', () =>
  expect(compare(SMALL, { 'cli/one.ts': SOUND['cli/one.ts'] })).toEqual(['nothing imports so: mock -> contract']));

test('an arrow that points up is found', () => {
  const up = SMALL.replace('\ncontract\n', '\ncontract -> cli\n');
  expect(compare(up, { ...SOUND, 'contract/three.ts': "import { one } from '../cli/one.js';\n" })).toEqual([
    'points up: contract -> cli',
  ]);
});
