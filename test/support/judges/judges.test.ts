import { expect, test } from 'vitest';
import { makeDeviating, makeFinding, makeResult, makeScenario, write } from '../../report/results.js';
import { JUDGES } from './all.js';

const result = makeResult([makeDeviating('a/a', [makeFinding()]), makeScenario('a/b', 'skipped', { reason: 'x' })]);

test.each(Object.entries(JUDGES))('the judge of %s finds nothing wrong with a sound report', async (name, judge) => {
  expect(await judge(write(name, result))).toEqual([]);
});

test.each([
  ['junit', '</testsuites>', ''],
  ['junit', '<testcase ', '<testcase color="red" '],
  ['junit', '<failure ', '<fault/><failure '],
  ['junit', '<testsuite name="a"', '<testsuite'],
  ['sarif', '"2.1.0"', '"2.2.0"'],
  ['sarif', '"level": "error"', '"level": "bad"'],
  ['sarif', '"ruleIndex": 0', '"ruleIndex": "0"'],
  ['sarif', '"startLine": 57', '"startLine": 0'],
  ['sarif', '"columnKind"', '"colorKind"'],
  ['json', '"verdict":"deviated"', '"verdict":"failed"'],
  ['json', '"version": 2', '"version": 1'],
  ['json', '"target":', '"goal":'],
  ['har', '"httpVersion"', '"version"'],
  ['har', '"status":200', '"status":"200"'],
  ['har', '"url":"http', '"url":" http'],
  ['har', '"pageref":"a/a"', '"pageref":"a/c"'],
  ['har', '"wait":1.5', '"wait":2'],
  ['har', '"startedDateTime":"2', '"startedDateTime":"x2'],
  ['markdown', '### ', '### <img src=x> '],
  ['markdown', '### ', '### [x](https://evil.example) '],
  ['markdown', '### ', '### @octocat '],
  ['markdown', '### ', '### closes #12 '],
  ['markdown', '### ', '### www.evil.example '],
  ['markdown', '</details>', ''],
  ['markdown', '</pre>', '</pre></pre>'],
  ['markdown', ' | <code>', ' <code>'],
  ['html', '</main>', ''],
  ['html', 'lang="en"', ''],
  ['html', 'id="coverage"', 'id="problems"'],
  ['html', '<h3', '<h6'],
  ['html', '<title>', '<title></title><title>'],
  ['html', 'aria-labelledby="problems-title"', 'aria-labelledby="nothing"'],
])('the judge of %s complains when %j is %j', async (name, sound, broken) => {
  const text = write(name, result);
  expect(text).toContain(sound);
  expect(await JUDGES[name]?.(text.replace(sound, broken))).not.toEqual([]);
});
