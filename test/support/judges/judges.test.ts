import { expect, test } from 'vitest';
import { makeDeviating, makeFinding, makeResult, makeScenario, write } from '../../report/results.js';
import { JUDGES } from './all.js';

const result = makeResult([makeDeviating('a/a', [makeFinding()]), makeScenario('a/b', 'skipped', { reason: 'x' })]);

test.each(Object.entries(JUDGES))('the judge of %s finds nothing wrong with a sound report', async (name, judge) => {
  expect(await judge(write(name, result))).toEqual([]);
});

test.each([
  ['junit', '</testsuites>', ''],
  ['junit', '<failure ', '<fault/><failure '],
  ['sarif', '"2.1.0"', '"2.2.0"'],
  ['sarif', '"startLine": 57', '"startLine": 0'],
  ['json', '"verdict":"deviated"', '"verdict":"failed"'],
  ['json', '"version": 2', '"version": 1'],
  ['har', '"httpVersion"', '"version"'],
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
  ['html', 'id="coverage"', 'id="problems"'],
  ['html', 'aria-labelledby="problems-title"', 'aria-labelledby="nothing"'],
])('the judge of %s complains when %j is %j', async (name, sound, broken) => {
  const text = write(name, result);
  expect(text).toContain(sound);
  expect(await JUDGES[name]?.(text.replace(sound, broken))).not.toEqual([]);
});
