import { describe, expect, test } from 'vitest';
import { reportFormats } from '../../../src/report/index.js';
import { makeDeviating, makeFinding, makeResult, makeScenario } from '../../report/results.js';
import { judgeHar } from './judge-har.js';
import { judgeHtml } from './judge-html.js';
import { judgeResult, judgeSarif } from './judge-json.js';
import { judgeJunit } from './judge-junit.js';
import { judgeMarkdown } from './judge-markdown.js';

const result = makeResult([makeDeviating('a/a', [makeFinding()]), makeScenario('a/b', 'skipped', { reason: 'x' })]);

/** A report, and the same with one thing broken in it. */
const BROKEN: [string, (text: string) => string[] | Promise<string[]>, [string, string][]][] = [
  [
    'junit',
    judgeJunit,
    [
      ['</testsuites>', ''],
      ['<testcase ', '<testcase color="red" '],
      ['<failure ', '<fault/><failure '],
      ['<testsuite name="a"', '<testsuite'],
    ],
  ],
  [
    'sarif',
    judgeSarif,
    [
      ['"2.1.0"', '"2.2.0"'],
      ['"level": "error"', '"level": "bad"'],
      ['"ruleIndex": 0', '"ruleIndex": "0"'],
      ['"startLine": 57', '"startLine": 0'],
      ['"columnKind"', '"colorKind"'],
    ],
  ],
  [
    'json',
    judgeResult,
    [
      ['"verdict":"deviated"', '"verdict":"failed"'],
      ['"version": 2', '"version": 1'],
      ['"target":', '"goal":'],
    ],
  ],
  [
    'har',
    judgeHar,
    [
      ['"httpVersion"', '"version"'],
      ['"status":200', '"status":"200"'],
      ['"url":"http', '"url":" http'],
      ['"pageref":"a/a"', '"pageref":"a/c"'],
      ['"wait":1.5', '"wait":2'],
      ['"startedDateTime":"2', '"startedDateTime":"x2'],
    ],
  ],
  [
    'markdown',
    judgeMarkdown,
    [
      ['### ', '### <img src=x> '],
      ['### ', '### [x](https://evil.example) '],
      ['### ', '### @octocat '],
      ['### ', '### closes #12 '],
      ['### ', '### www.evil.example '],
      ['</details>', ''],
      ['</pre>', '</pre></pre>'],
      [' | <code>', ' <code>'],
    ],
  ],
  [
    'html',
    judgeHtml,
    [
      ['</main>', ''],
      ['lang="en"', ''],
      ['id="coverage"', 'id="problems"'],
      ['<h3', '<h6'],
      ['<title>', '<title></title><title>'],
      ['aria-labelledby="problems-title"', 'aria-labelledby="nothing"'],
    ],
  ],
];

describe.each(BROKEN)('the judge of %s', (name, judge, faults) => {
  const text = reportFormats[name]?.write(result, { color: false, quiet: false }) ?? '';

  test('finds nothing wrong with a sound report', async () => expect(await judge(text)).toEqual([]));

  test.each(faults)('complains when %j is %j', async (sound, broken) => {
    expect(text).toContain(sound);
    expect(await judge(text.replace(sound, broken))).not.toEqual([]);
  });
});
