import { expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { reportFormats } from '../../src/report/index.js';
import { makeDeviating, makeFinding, makeResult } from './results.js';

const write = (result: RunResult): string =>
  reportFormats['github']?.write(result, { color: true, quiet: false }) ?? '';

/** Reads workflow commands as the runner of GitHub Actions does: one a line, properties by commas, then unescaped. */
function readCommands(text: string): { command: string; properties: Record<string, string>; message: string }[] {
  const commands = [...text.matchAll(/^::(\w+) (.*?)::(.*)$/gm)];
  return commands.map(([, command = '', properties = '', message = '']) => ({
    command,
    properties: Object.fromEntries(
      properties.split(',').map((pair) => [pair.split('=')[0], unescape(pair.slice(pair.indexOf('=') + 1))]),
    ) as Record<string, string>,
    message: unescape(message),
  }));
}

function unescape(text: string): string {
  const known: Record<string, string> = { '%0D': '\r', '%0A': '\n', '%3A': ':', '%2C': ',', '%25': '%' };
  return text.replace(/%(?:0D|0A|3A|2C|25)/g, (code) => known[code] ?? code);
}

test('a rule without a place in the contract is told at the scenario, or at the contract as a whole', () => {
  const { contract: _, ...finding } = makeFinding();
  const placed = makeDeviating('a/a', [finding]);
  const basis = { text: 'section 2', place: { file: 'scenarios/own, mine.yaml', line: 7 } };
  const file = (result: RunResult): unknown => readCommands(write(result))[0]?.properties['file'];
  expect(file(makeResult([{ ...placed, basis }]))).toBe('scenarios/own, mine.yaml');
  expect(file(makeResult([placed]))).toBe('spec/petstore.openapi.yaml');
});

test('there are no more than GitHub shows of a step, and the last names the rest', () => {
  const scenarios = Array.from({ length: 60 }, (_, index) =>
    makeDeviating(`a/${index}`, [makeFinding({ check: 'own', rule: `r${index}` })]),
  );
  const text = write(makeResult(scenarios));
  const errors = readCommands(text);
  expect(errors).toHaveLength(10);
  expect(errors.at(-1)?.properties['title']).toBe('and 51 more');
  expect(errors.at(-1)?.message.split('\n')).toHaveLength(41);
  // The log names each.
  expect(text.match(/^✗ .* {2}--again 'a\/\d+'$/gm)).toHaveLength(60);
  expect(text).toMatch(/\n60 problems · .*\n$/);
});

test('a log that has the problems already gets the annotations folded, and nothing else', () => {
  const beside = { color: false, quiet: false, isToldBeside: true };
  const told = reportFormats['github']?.write(makeResult([makeDeviating('a/a', [makeFinding()])]), beside) ?? '';
  expect(told.split('\n').map((line) => line.replace(/ .*/, ''))).toEqual([
    '::group::The',
    '::error',
    '::endgroup::',
    '',
  ]);
  expect(reportFormats['github']?.write(makeResult([]), beside)).toBe('');
});

test('ten problems are ten annotations', () => {
  const scenarios = Array.from({ length: 10 }, (_, index) =>
    makeDeviating(`a/${index}`, [makeFinding({ check: 'own', rule: `r${index}` })]),
  );
  const titles = readCommands(write(makeResult(scenarios))).map(({ properties }) => properties['title']);
  expect(titles).toHaveLength(10);
  expect(titles.join(' ')).not.toContain('more');
});

test('a file is named from the root of the repository, and one of an installed package not at all', () => {
  const fileOf = (file: string, folder?: string): string | undefined => {
    const scenario = makeDeviating('a/a', [makeFinding({ contract: { file, line: 5, pointer: '/paths' } })]);
    const text = reportFormats['github']?.write(makeResult([scenario]), { color: false, quiet: false, folder }) ?? '';
    return readCommands(text)[0]?.properties['file'];
  };
  expect(fileOf('api.yaml')).toBe('api.yaml');
  expect(fileOf('api.yaml', 'services/pets')).toBe('services/pets/api.yaml');
  expect(fileOf('../../spec/api.yaml', 'services/pets')).toBe('spec/api.yaml');
  expect(fileOf('node_modules/petstore-mock/spec/petstore.openapi.yaml')).toBeUndefined();
});
