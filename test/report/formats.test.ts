import { describe, expect, test } from 'vitest';
import type { BaselineLine, DriftResult, Finding, RunResult } from '../../src/conformance/model/result.js';
import { formatDiff } from '../../src/report/profile-diff.js';
import { reportFormats } from '../../src/report/index.js';
import { listLeft } from '../../src/report/report-format.js';
import { judgeHar } from '../support/judges/judge-har.js';
import { JUDGES } from '../support/judges/all.js';
import { words } from '../support/words.js';
import { makeDeviating, makeExchange, makeFinding, makeGap, makeProblems } from './results.js';
import { makeResult, makeScenario, write } from './results.js';

// What several formats tell, then HAR, Markdown and the annotations of GitHub.

/** A text of HTML or Markdown as a reader sees it. */
function read(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/<\/?(code|b)\b[^>]*>/g, '');
}

describe('what is left behind', () => {
  const tokens = { one: 'token', many: 'tokens', count: 22, why: 'as --keep asks', keys: ['a1', 'b2'], mark: 'Cfqz' };
  const left = makeResult([makeScenario('list/every-time', 'passed')], { leftBehind: [tokens] });

  test.each(Object.keys(reportFormats))('%s says how many records are left, and how to find them', (name) => {
    for (const part of ['22', 'tokens', 'Cfqz', 'b2']) expect(write(name, left)).toContain(part);
  });

  test.each(Object.entries(JUDGES))('%s stays valid with them', async (name, judge) => {
    expect(await judge(write(name, left))).toEqual([]);
  });

  const addresses = ['/tokens/a1', '/tokens/b%202'];
  test.each([
    ['one as one', { count: 1, keys: ['a1'] }, '1 created token, as --keep asks: its key is a1'],
    ['no keys that nobody knows', { keys: [] }, '22 created tokens, as --keep asks: generated texts contain Cfqz'],
    [
      'how to remove them',
      { count: 2, keys: ['a1', 'b 2'], addresses, removable: true },
      '2 created tokens, as --keep asks: DELETE http://127.0.0.1:4010/v1/tokens/a1, /v1/tokens/b%202',
    ],
    [
      'where they are',
      { count: 9, keys: ['a1', 'b 2'], addresses, removable: false },
      '9 created tokens, as --keep asks: at http://127.0.0.1:4010/v1/tokens/a1, /v1/tokens/b%202 and 7 more; generated texts contain Cfqz',
    ],
  ])('%s is told', (_, more, line) => {
    const target = 'http://127.0.0.1:4010/v1/';
    expect(listLeft({ target, leftBehind: [{ ...tokens, ...more }] })).toEqual([`leftover: ${line}`]);
  });

  test('without any there is no line', () => expect(listLeft({})).toEqual([]));
});

describe('gaps, and what has changed since a profile', () => {
  const evidence = 'HEAD /pets → 418';
  const seen = makeGap({ answer: 'other', evidence });
  const unseen = makeGap({
    id: 'after-removal',
    question: 'And then?',
    answer: 'not-observed',
    evidence: 'served until 2030',
  });
  const list = makeGap({ id: 'pet-fields', kind: 'observation', question: 'Which fields?', answer: ['a', 'b'] });
  const drift: DriftResult = {
    profile: { file: 'staging.yaml', target: 'https://staging.example/v1', date: '2026-01-02' },
    changes: [{ id: 'head', before: 'answered', now: 'other' }],
    notes: [{ id: 'pet-fields', before: [], now: ['a', 'b'] }],
  };
  const observed = makeScenario('gaps/head', 'observed', { gap: { id: 'head', choice: 'other', evidence } });
  const result = makeResult([observed], { gaps: [seen, unseen, list], drift });
  const show = (format: string, from = result, quiet = false): string =>
    read(write(format, from, { quiet, gaps: true })).replaceAll('%0A', '\n');

  test.each(words`pretty json junit markdown github sarif html`)(
    '%s tells question, answer, evidence and change',
    (format) => {
      const told = [
        'Is HEAD answered?',
        'other',
        evidence,
        'Which fields?',
        'head',
        'answered',
        'staging.yaml',
        '2026-01-02',
      ];
      for (const part of told) expect(show(format)).toContain(part);
    },
  );

  test('what was not observed says why, and the summary counts changes', () => {
    expect(show('pretty')).toContain('    And then?\n        after-removal: not-observed  served until 2030');
    expect(show('pretty')).toContain(' · 1 change since the profile · ');
  });

  test('pretty tells changes even when it is quiet, and no change only when it is not', () => {
    const same = makeResult([], { gaps: [seen], drift: { ...drift, changes: [], notes: [] } });
    expect(show('pretty', result, true)).toContain('≠ head: answered, now other');
    expect(show('pretty', result, true)).not.toContain('pet-fields');
    expect(show('pretty', same)).toContain('nothing has changed since staging.yaml');
    expect(show('pretty', same, true)).not.toContain('nothing has changed');
  });

  test('each change fails a case of JUnit, and is an error of the annotations', () => {
    expect(show('junit')).toMatch(
      /<testsuite name="drift" tests="1" failures="1"[^]*<testcase classname="drift" name="head"/,
    );
    expect(show('github')).toMatch(
      /^::error file=spec\/petstore\.openapi\.yaml,line=1,title=drift at head::head: answered, now other$/m,
    );
  });

  test('two profiles with long answers are compared in blocks, not in columns that leave the screen', () => {
    const side = { file: 'a.yaml', gaps: {} };
    const long = `HTTP 201 ${'x'.repeat(120)}`;
    const compare = (before: string) =>
      formatDiff({ before: side, now: side, changes: [{ id: 'head', before, now: 'other' }], notes: [], same: 3 });
    expect(compare(long)).toContain(`\n    head\n        before  ${long}\n        now     other\n`);
    expect(compare('answered')).toMatch(/^ {10}before {4}now\n {4}head {2}answered {2}other$/m);
  });
});

describe('a baseline', () => {
  const place = { file: 'known.yaml', line: 7, column: 9 };

  function known(state: 'known' | 'expired'): Finding {
    const expires = state === 'known' ? '2999-12-31' : '2020-02-02';
    return makeFinding({ baseline: { state, reason: 'ticket 12', expires, place } });
  }

  function lineOf(scenario: string, expires: string): BaselineLine {
    return { scenario, check: 'records', rule: 'filter', at: 'body/*/status', reason: 'ticket 12', expires, place };
  }

  const [expired, fixed] = [[lineOf('a/a', '2020-02-02')], [lineOf('b/b', 'never')]];
  const baseline = { file: 'known.yaml', known: [], expired, fixed, unseen: [] };
  const toChange = makeResult([makeDeviating('a/a', [known('expired')])], { baseline });

  test.each<[string, (string | RegExp)[]]>([
    [
      'pretty',
      [/✗ known\.yaml:7:9 {2}expired on 2020-02-02/, /✗ known\.yaml:7:9 {2}no longer deviates; remove its entry: b\/b/],
    ],
    ['junit', [/<testsuite name="baseline" tests="2" failures="2"/, /<failure message="no longer deviates/]],
    ['markdown', ['<summary>baseline entries to change (2)</summary>']],
    [
      'github',
      [/^::error file=known\.yaml,line=7,title=the baseline must be changed%3A b\/b::no longer deviates/m, /a\/a:/m],
    ],
    ['sarif', [/"toolConfigurationNotifications": \[/, 'no longer deviates']],
  ])('what must be changed in it is told by %s with its line', (format, texts) => {
    for (const each of texts) expect(write(format, toChange)).toMatch(each);
  });

  test('a run of which only that is wrong has no title that says all is well', () =>
    expect(write('markdown', makeResult([], { baseline }))).toContain('the baseline must be changed'));

  test('a problem that is known in one scenario and new in another is a result of SARIF once, and not suppressed', () => {
    const one = { ...makeDeviating('a/a', [known('known')]), verdict: 'known' as const };
    const result = makeResult([one, makeDeviating('a/b', [makeFinding()])]);
    const { runs } = JSON.parse(write('sarif', result)) as { runs: { results: object[] }[] };
    expect(runs[0]?.results).toHaveLength(1);
    expect(runs[0]?.results[0]).not.toHaveProperty('suppressions');
  });

  test('a scenario with a problem that is known and one that is not fails for the second alone', () => {
    const findings = [known('known'), makeFinding({ rule: 'other', actual: 'something new' })];
    const junit = write('junit', makeResult([makeDeviating('a/a', findings)]));
    expect(junit).toContain('something new');
    expect(junit).not.toContain('found &quot;pending&quot;');
  });
});

describe('HAR', () => {
  type Entry = { pageref: string; comment: string; request: { url: string }; response: { status: number } };

  function readEntries(...scenarios: RunResult['scenarios']): Entry[] {
    const text = write('har', makeResult(scenarios));
    expect(judgeHar(text)).toEqual([]);
    return (JSON.parse(text) as { log: { entries: Entry[] } }).log.entries;
  }

  test('entries are in the order in which they were sent, whatever the order of the scenarios', () => {
    const at = (id: string, startedAt: string) => makeDeviating(id, [makeFinding()], { startedAt });
    const entries = readEntries(at('a/a', '2030-01-02T03:04:06.000Z'), at('a/b', '2030-01-02T03:04:05.900Z'));
    expect(entries.map(({ pageref }) => pageref)).toEqual(['a/b', 'a/a']);
  });

  test('a request without an answer has the status 0, and says why', () => {
    const { response: _, ...unanswered } = makeExchange({ failure: 'the connection was reset' });
    const steps = [{ id: 'list', exchanges: [unanswered] }];
    const [entry] = readEntries(makeScenario('a/a', 'inconclusive', { steps }));
    expect(entry?.response.status).toBe(0);
    expect(entry?.comment).toContain('no response: the connection was reset');
  });

  test('a path that is no URI is escaped', () => {
    const request = { ...makeExchange().request, path: '/pets/%zz é<redacted>?a[]=1' };
    const [entry] = readEntries(makeDeviating('a/a', [makeFinding()], { request }));
    expect(entry?.request.url).toBe('http://127.0.0.1:4010/v1/pets/%25zz%20%C3%A9%3Credacted%3E?a%5B%5D=1');
  });
});

describe('Markdown', () => {
  test('a thousand problems with long answers fit a comment, and it says how many are left out', () => {
    const long = '<&|'.repeat(400);
    const scenarios = makeProblems(1000, (index) => `a/${index}`, { expected: long, actual: long });
    const open = scenarios.map(({ id }) => makeScenario(`${id}-open`, 'inconclusive', { reason: long }));
    const notes = Array.from({ length: 500 }, () => long);
    const text = write('markdown', makeResult([...scenarios, ...open], { notes }));
    expect(text.length).toBeGreaterThan(30_000);
    expect(text.length).toBeLessThan(60_000);
    const rows = text.split('\n').filter((line) => line.startsWith('|')).length - 2;
    expect(text).toContain(`and ${1000 - rows} more problems.`);
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
  });

  test('what lacks the same is told in one line, in whatever step it was found', () => {
    const scenarios = ['get', 'list'].map((step) =>
      makeScenario(`pets/${step}`, 'inconclusive', { reason: `step ${step}: it needs a key` }),
    );
    const text = read(write('markdown', makeResult(scenarios)));
    expect(text).toContain('petstore-conformance: nothing was concluded of 2 scenarios');
    expect(text).toContain('- 2 scenarios, such as pets/get: it needs a key');
  });
});

describe('the annotations of GitHub', () => {
  type Command = { properties: Record<string, string>; message: string };

  /** Reads workflow commands as the runner of GitHub Actions does: one a line, properties by commas, then unescaped. */
  function readCommands(text: string): Command[] {
    return [...text.matchAll(/^::\w+ (.*?)::(.*)$/gm)].map(([, properties = '', message = '']) => {
      const pairs = properties.split(',').map((pair) => pair.split(/=(.*)/s));
      const entries = pairs.map(([name, value = '']) => [name, unescape(value)]);
      return { properties: Object.fromEntries(entries) as Command['properties'], message: unescape(message) };
    });
  }

  function unescape(text: string): string {
    const known: Record<string, string> = { '%0D': '\r', '%0A': '\n', '%3A': ':', '%2C': ',', '%25': '%' };
    return text.replace(/%(?:0D|0A|3A|2C|25)/g, (code) => known[code] ?? code);
  }

  const fileOf = (result: RunResult, folder?: string): string | undefined =>
    readCommands(write('github', result, { folder }))[0]?.properties['file'];

  test('a rule without a place in the contract is told at the scenario, or at the contract as a whole', () => {
    const { contract: _, ...finding } = makeFinding();
    const placed = makeDeviating('a/a', [finding]);
    const basis = { text: 'section 2', place: { file: 'scenarios/own, mine.yaml', line: 7 } };
    expect(fileOf(makeResult([{ ...placed, basis }]))).toBe('scenarios/own, mine.yaml');
    expect(fileOf(makeResult([placed]))).toBe('spec/petstore.openapi.yaml');
  });

  test.each([
    ['api.yaml', undefined, 'api.yaml'],
    ['api.yaml', 'services/pets', 'services/pets/api.yaml'],
    ['../../spec/api.yaml', 'services/pets', 'spec/api.yaml'],
    ['node_modules/petstore-mock/spec/petstore.openapi.yaml', undefined, undefined],
  ])(
    '%s of a run in %s is named from the root of the repository, of an installed package not at all',
    (file, folder, name) => {
      const finding = makeFinding({ contract: { file, line: 5, pointer: '/paths' } });
      expect(fileOf(makeResult([makeDeviating('a/a', [finding])]), folder)).toBe(name);
    },
  );

  test('there are no more than GitHub shows of a step, and the last names the rest', () => {
    const text = write('github', makeResult(makeProblems(60, (index) => `a/${index}`)));
    const errors = readCommands(text);
    expect(errors).toHaveLength(10);
    expect(errors.at(-1)?.properties['title']).toBe('and 51 more');
    expect(errors.at(-1)?.message.split('\n')).toHaveLength(41);
    // The log names each.
    expect(text.match(/^✗ .* {2}--again 'a\/\d+'$/gm)).toHaveLength(60);
    expect(text).toMatch(/\n60 problems · .*\n$/);
    const ten = readCommands(write('github', makeResult(makeProblems(10, (index) => `a/${index}`))));
    expect(ten).toHaveLength(10);
    expect(ten.at(-1)?.properties['title']).not.toContain('more');
  });

  test('a log that has the problems already gets the annotations folded, and nothing else', () => {
    const beside = { isToldBeside: true };
    const told = write('github', makeResult([makeDeviating('a/a', [makeFinding()])]), beside);
    expect(told.replaceAll(/ .*/g, '')).toBe('::group::The\n::error\n::endgroup::\n');
    expect(write('github', makeResult([]), beside)).toBe('');
  });
});
