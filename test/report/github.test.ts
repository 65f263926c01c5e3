import { expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { reportFormats } from '../../src/report/index.js';
import { makeDeviating, makeFinding, makeResult, makeScenario } from './results.js';

function write(result: RunResult): string {
  return reportFormats['github']?.write(result, { color: true, quiet: false }) ?? '';
}

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

test('each problem is an annotation at its line of the contract', () => {
  const scenarios = ['a/a', 'a/b'].map((id) =>
    makeDeviating(id, [makeFinding(), makeFinding({ at: 'body/1/status' })]),
  );
  expect(readCommands(write(makeResult(scenarios)))).toEqual([
    {
      command: 'error',
      properties: {
        file: 'spec/petstore.openapi.yaml',
        line: '57',
        title: 'The filter by `status` of listPets returns records that do not match',
      },
      message: `a/a: what a/a says (and 1 scenario more)
GET /pets?status=sold&limit=100 → 200
expected "sold"
actual "pending" at body/0/status and 1 more
contract spec/petstore.openapi.yaml:57  #/paths/~1pets/get/parameters/1
again petstore-conformance --target 'http://127.0.0.1:4010/v1' --again 'a/a'
curl -H "Authorization: Bearer $PETSTORE_API_KEY" 'http://127.0.0.1:4010/v1/pets?status=sold&limit=100'`,
    },
  ]);
});

test('a rule without a place in the contract is told at the scenario, or at the contract as a whole', () => {
  const { contract: _, ...finding } = makeFinding();
  const placed = makeDeviating('a/a', [finding]);
  const basis = { text: 'section 2', place: { file: 'scenarios/own, mine.yaml', line: 7 } };
  const file = (result: RunResult): unknown => readCommands(write(result))[0]?.properties['file'];
  expect(file(makeResult([{ ...placed, basis }]))).toBe('scenarios/own, mine.yaml');
  expect(file(makeResult([placed]))).toBe('spec/petstore.openapi.yaml');
});

test('what a target sends can give no command of its own', () => {
  const nasty = '100%0A\r\n::warning file=a,line=1::x\n::stop-commands::y\u2028::error::z, : %';
  const scenario = makeDeviating('a/a', [makeFinding({ actual: nasty, expected: nasty, at: nasty })]);
  const contract = { title: nasty, version: nasty, file: 'spec/petstore.openapi.yaml' };
  const text = write(makeResult([{ ...scenario, title: nasty }], { contract }));
  expect(text.match(/^::/gm)).toHaveLength(1);
  expect(text.trimEnd().split('\n')).toHaveLength(4);
  const [command] = readCommands(text);
  expect(command?.message).toContain(String.raw`expected 100%0A\u000d\u000a\u003a:warning file=a,line=1::x\u000a`);
  expect(command?.message.split('\n')[0]).toContain(String.raw`\u003a:error::z, : %`);
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

test('the log, which shows no titles, has each on the line above its annotation', () => {
  const lines = write(makeResult([makeDeviating('a/a', [makeFinding()])])).split('\n');
  expect(lines[1]).toBe("✗ The filter by `status` of listPets returns records that do not match  --again 'a/a'");
  expect(lines[2]).toMatch(/^::error /);
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

test('the first line and the last say how many problems there are', () => {
  const lines = (result: RunResult): string[] => write(result).trimEnd().split('\n');
  expect(lines(makeResult([makeScenario('a/a', 'passed')]))).toEqual([
    expect.stringMatching(/^no problem in 1 scenario of Petstore 1\.0\.0 at /),
    expect.stringMatching(/^no problem in 1 scenario · 1 passed · /),
  ]);
  const problem = lines(makeResult([makeDeviating('a/a', [makeFinding()])]));
  expect([problem[0], problem.at(-1)]).toEqual([
    expect.stringMatching(/^1 problem in Petstore 1\.0\.0 at /),
    expect.stringMatching(/^1 problem · 1 of 1 scenario deviates · /),
  ]);
});

test('what was not covered is a notice at the contract', () => {
  const contract = { file: 'spec/petstore.openapi.yaml', line: 72, pointer: '/paths/~1pets/get/responses/401' };
  const missing = Array.from({ length: 50 }, (_, index) => ({
    id: `a::b ${index}`,
    kind: 'status' as const,
    contract,
  }));
  const coverage = { total: 100, covered: 50, missing };
  const [notice, ...others] = readCommands(write(makeResult([makeScenario('a/a', 'passed')], { coverage })));
  expect(others).toEqual([]);
  expect(notice?.command).toBe('notice');
  expect(notice?.properties).toEqual({
    file: 'spec/petstore.openapi.yaml',
    line: '1',
    title: 'contract coverage 50 %: 50 of 100',
  });
  expect(notice?.message).toMatch(/^not covered:\na::b 0\n[\s\S]*\nand 10 more$/);
});
