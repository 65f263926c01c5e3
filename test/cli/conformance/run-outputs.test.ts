import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  guardOutput,
  hideSecrets,
  keepSecret,
  openRunOutputs,
  writeReportFiles,
  writeResults,
  type RunOutputs,
} from '../../../src/cli/conformance/run-outputs.js';
import { readConformanceSettings, type ConformanceSettings } from '../../../src/cli/conformance/settings.js';
import type { RunResult } from '../../../src/conformance/model/result.js';
import { ADDRESS_OF_NOBODY } from '../../conformance/support/ask.js';
import { makeFolder } from '../../support/folder.js';
import { makeDeviating, makeFinding, makeGap, makeResult, makeScenario } from '../../report/results.js';

const SECRET = 'Very-Own-Key-4711';
const result = makeResult([makeDeviating('pets/lists/sold', [makeFinding()])], { gaps: [makeGap()] });
let folder = '';
let printed = { stdout: '', stderr: '' };

beforeEach(() => {
  folder = makeFolder();
  printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  keepSecret({});
});

const at = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');

function open(args: string[], env: Record<string, string> = {}): [ConformanceSettings, RunOutputs] {
  const all = ['--target', ADDRESS_OF_NOBODY, ...args];
  const settings = readConformanceSettings(all, { PETSTORE_API_KEY: 'Very-Long-Key-1', ...env }, '1.0.0');
  return [settings, openRunOutputs(settings)];
}

const write = (args: string[], given: RunResult = result, env: Record<string, string> = {}): boolean =>
  writeResults(given, ...open(args, env));

test('reports with a file go there, which stderr names unless --quiet is given, the others to stdout', () => {
  expect(write(['--report', 'pretty,json,junit', '--report-dir', folder])).toBe(true);
  expect(readdirSync(folder)).toHaveLength(2);
  expect(printed.stdout).toContain('pets/lists/sold');
  expect(JSON.parse(read('conformance.json'))).toMatchObject({ scenarios: [{ id: 'pets/lists/sold' }] });
  const [json, junit] = [at('conformance.json'), at('conformance-junit.xml')];
  expect(printed.stderr).toBe(`petstore-conformance: wrote ${json}, ${junit}\n`);
  printed.stderr = '';
  write(['--report', 'pretty,json', '--report-dir', folder, '--quiet']);
  expect(printed.stderr).toBe('');
});

test('the last line of stdout says what fails a run without a problem', () => {
  writeResults(makeResult([makeScenario('pets/lists/sold', 'passed')]), ...open([]), '--min-coverage');
  const lines = printed.stdout.trimEnd().split('\n');
  expect(lines.at(-1)).toMatch(/^no problem in 1 scenario; --min-coverage fails the run · /);
});

test.each([
  [[], true],
  [['--no-color'], false],
])('%j with FORCE_COLOR is coloured: %s', (args, colored) => {
  for (const [name, value] of Object.entries({ FORCE_COLOR: '1', NO_COLOR: '' })) vi.stubEnv(name, value);
  write(args);
  expect(printed.stdout.includes('\u001B[')).toBe(colored);
});

test('places that cannot be written are told before the run, and nothing is there yet', () => {
  expect(() => open(['--report', 'json', '--report-dir', '/proc/nope'])).toThrow(/\/proc\/nope/);
  expect(() => open(['--write-baseline', '/proc/nope'])).toThrow(/\/proc\/nope/);
  open(['--report', 'json', '--report-dir', at('new'), '--write-profile', at('profile.yaml')]);
  expect([readdirSync(at('new')), existsSync(at('profile.yaml'))]).toEqual([[], false]);
});

test('two outputs that are one file are rejected', () => {
  const args = ['--write-profile', at('a.yaml'), '--write-baseline', at('a.yaml')];
  expect(() => open(args)).toThrow(/two of the outputs are the same file/);
});

test('a file that is no profile is not lost', () => {
  folder = makeFolder({ 'notes.yaml': 'dear: diary\n', 'profile.yaml': 'name: old\ngaps: {}\n', 'empty.yaml': '' });
  expect(() => open(['--write-profile', at('notes.yaml')])).toThrow(/exists and is not a profile/);
  expect(() => open(['--write-profile', at('profile.yaml')])).not.toThrow();
  expect(() => open(['--write-profile', at('empty.yaml')])).not.toThrow();
});

test('a baseline and a profile are written, and stderr says what is in them', () => {
  expect(write(['--write-baseline', at('b.yaml'), '--write-profile', at('p.yaml')])).toBe(true);
  expect(read('b.yaml')).toContain('pets/lists/sold');
  expect(read('p.yaml')).toContain('gaps:');
  expect(printed.stderr).toContain(`wrote ${at('b.yaml')}: 0 known deviations kept, 1 added, 0 removed as fixed.`);
  expect(printed.stderr).toMatch(/wrote .*p\.yaml: 1 of 1 gaps observed\./);
});

test.each(['interrupted', 'targetLost', 'outOfTime'] as const)('a run that ended early records neither: %s', (how) => {
  const given = { ...result, [how]: true };
  expect(write(['--write-baseline', at('b.yaml'), '--write-profile', at('p.yaml')], given)).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
  expect(printed.stderr).toMatch(/the run did not complete; .*b\.yaml was not written\./);
});

test('when one place is gone after all, the others are written, and the result reaches stdout', () => {
  const [settings, outputs] = open(['--report', 'json', '--report-dir', at('gone'), '--write-profile', at('p.yaml')]);
  rmSync(at('gone'), { recursive: true });
  expect(writeResults(result, settings, outputs)).toBe(false);
  expect(JSON.parse(printed.stdout)).toHaveProperty('scenarios');
  expect(existsSync(at('p.yaml'))).toBe(true);
  expect(printed.stderr).toMatch(/^petstore-conformance: .*gone/);
});

test('a run that did not begin writes its files, and nothing to stdout', () => {
  const [settings, outputs] = open(['--report', 'pretty,json', '--report-dir', folder]);
  writeReportFiles(result, settings, outputs);
  expect(printed.stdout).toBe('');
  expect(readdirSync(folder)).toEqual(['conformance.json']);
});

test('the summary of a GitHub job is appended', () => {
  folder = makeFolder({ summary: 'before\n' });
  expect(write(['--report', 'github'], result, { GITHUB_STEP_SUMMARY: at('summary') })).toBe(true);
  expect(read('summary')).toMatch(/^before\n[^]*pets\/lists\/sold/);
  expect(write(['--report', 'github'], result, { GITHUB_STEP_SUMMARY: '/proc/nope' })).toBe(true);
});

test('a secret that is in the result by mistake leaves in no file and in no stream', () => {
  keepSecret({ apiKey: 'Very-Long-Key-1' });
  const leaky = makeResult([makeDeviating('pets/lists/sold', [makeFinding({ actual: 'Very-Long-Key-1' })])]);
  write(['--report', 'pretty,json,html', '--report-dir', folder, '--write-baseline', at('b.yaml')], leaky);
  for (const name of readdirSync(folder)) expect(read(name)).not.toContain('Very-Long-Key-1');
  expect(printed.stdout + printed.stderr).not.toContain('Very-Long-Key-1');
});
test('until there is a secret, texts stay as they are', () =>
  expect([hideSecrets(`a ${SECRET}`), guardOutput(`a ${SECRET}`)]).toEqual([`a ${SECRET}`, `a ${SECRET}`]));

test.each<[string, Parameters<typeof keepSecret>[0]]>([
  ['the key', { apiKey: SECRET }],
  ['a header field', { headers: { 'X-Gateway-Key': SECRET } }],
  ['a password in the target', { target: `https://me:${SECRET}@petstore.example/v1` }],
  ['a password of the proxy', { proxy: `http://me:${SECRET}@proxy.example` }],
  ['a credential of a scheme', { credentials: { basic: `rex:${SECRET}` } }],
  ['a passphrase', { tls: { clientCertificate: { cert: '', key: '', passphrase: SECRET } } }],
])('from then on it leaves in no message and no report: %s', (_, options) => {
  keepSecret(options);
  for (const hide of [hideSecrets, guardOutput])
    for (const text of [SECRET, `"${SECRET}"`, Buffer.from(SECRET).toString('base64')]) {
      const hidden = hide(`before ${text} after`);
      expect([hidden.includes(text), /^before .* after$/.test(hidden)]).toEqual([false, true]);
    }
});

test('a key that is a word of a format is hidden in messages, and does not break a report', () => {
  keepSecret({ apiKey: 'verdict' });
  expect(hideSecrets('the key verdict')).not.toContain('verdict');
  expect(guardOutput('{"verdict":"passed"}')).toBe('{"verdict":"passed"}');
});

test('the secrets of the last call count', () => {
  keepSecret({ apiKey: SECRET });
  keepSecret({ apiKey: 'Another-Key-0815' });
  expect(hideSecrets(SECRET)).toBe(SECRET);
  expect(hideSecrets('Another-Key-0815')).not.toContain('0815');
});
