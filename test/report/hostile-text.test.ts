import { describe, expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { reportFormats } from '../../src/report/index.js';
import { JUDGES } from '../support/judges/all.js';
import { readTable } from '../support/judges/judge-markdown.js';
import { makeDeviating, makeFinding, makeGap, makeResult, makeScenario, write } from './results.js';

/** What a target may send to steer a report, its reader, or the page it is shown on. */
const NASTY = [
  'x | y | z',
  '@octocat closes #12, GH-12, octo/repo#12 :tada: $x$ ~~gone~~ https://evil.example www.evil.example a@evil.example',
  '[click](https://evil.example) ![x](https://evil.example/x.png) [^1] <https://evil.example>',
  '<img src=x onerror=alert(1)><script>alert(1)</script></code></pre></details></summary></table>',
  '`` ` ``` ~~~ **b** _i_ # h > q - l 1. l | --- |',
  ']]></failure><testcase name="x"/><!-- --> &lt; &#64; \\| \\',
  '\r\n\r\n# heading\n\n| a |\n| --- |\n```\n::error::x',
  '\u0000\u001B[2J\u202E\uFFFE\uD800 🐶',
];

function spread(nasty: string): RunResult {
  // Where the contract lies is nothing that a target has a say in.
  const place = { file: 'spec/petstore.openapi.yaml', line: 3, pointer: nasty };
  const finding = makeFinding({ at: nasty, expected: nasty, actual: nasty, contract: place });
  const said = { headers: { [nasty]: nasty }, body: nasty };
  const request = { method: 'GET', path: `/${nasty}`, auth: 'valid' as const, ...said };
  const gap = { id: nasty, question: nasty, contract: place, answer: nasty, meaning: nasty, evidence: nasty };
  const line = { scenario: nasty, check: nasty, rule: nasty, at: nasty, reason: nasty, expires: 'never', place };
  const change = { id: nasty, before: nasty, now: [nasty] };
  const scenarios = [
    { ...makeDeviating('a/a', [finding], { request, response: { status: 200, ...said } }), title: nasty },
    makeScenario('a/b', 'inconclusive', { reason: nasty }),
    makeScenario('a/c', 'observed', { gap: { id: nasty, choice: nasty, evidence: nasty } }),
  ];
  return makeResult(scenarios, {
    contract: { title: nasty, version: nasty, file: place.file },
    notes: [nasty],
    gaps: [makeGap(gap)],
    drift: { profile: { file: nasty, target: nasty, date: nasty }, changes: [change], notes: [change] },
    baseline: { file: nasty, known: [], expired: [line], fixed: [line], unseen: [line] },
    coverage: { total: 2, covered: 1, missing: [{ id: nasty, kind: 'status', contract: place }] },
  });
}

describe.each(NASTY)('a target that sends %j', (nasty) => {
  test.each(Object.entries(JUDGES))('leaves the %s report sound', async (name, judge) => {
    expect(await judge(write(name, spread(nasty)))).toEqual([]);
  });

  test('breaks out of no cell of the Markdown table', () => {
    const [head, row, ...others] = readTable(write('markdown', spread(nasty)));
    expect([head?.length, row?.length, others]).toEqual([5, 5, []]);
    expect(row?.[2]).toBe(row?.[3]?.slice(0, row?.[2]?.length));
  });
});

/** What the logs of CI jobs act on, and terminals: GitHub Actions, Azure Pipelines, TeamCity, GitLab. */
const COMMANDS = [
  '##vso[task.setvariable variable=x]y',
  'a ##[error]x',
  "##teamcity[buildStatus text='x']",
  '::set-output name=a::b',
  'curl\n::error file=a::b',
  'a ::add-mask::b',
  '\u001B[0Ksection_start:1560896352:x\r\u001B[0K',
  '\u009B2J \u202E \uFEFF \u2028',
];

const CONTROLS = String.raw`[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]`;

/** One of them as a log would find it. */
const ACTED_ON = new RegExp(String.raw`##[\w.-]*\[|(?:^|\s)::[a-z]|${CONTROLS}`, 'm');

describe.each(COMMANDS)('the command %j', (command) => {
  test.each(Object.keys(reportFormats))('stands in no %s report', (name) => {
    const ours = name === 'github' ? /^::(?:error|notice) /gm : /(?!)/g;
    expect(command).toMatch(ACTED_ON);
    expect(write(name, spread(command)).replaceAll(ours, '')).not.toMatch(ACTED_ON);
  });

  test('is the same text to whoever reads the JSON', () => {
    const result = spread(command);
    expect(JSON.parse(write('json', result))).toEqual(JSON.parse(JSON.stringify(result)));
  });

  test('is the same text to whoever reads the JUnit XML', () => {
    const text = write('junit', spread(command)).replace(/&#(x?)([\da-f]+);/gi, (_, hex: string, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, hex === '' ? 10 : 16)),
    );
    // XML has no ESC.
    expect(text).toContain(command.replaceAll('\u001B', '\uFFFD'));
  });
});
