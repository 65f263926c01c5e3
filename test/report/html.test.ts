import { expect, test } from 'vitest';
import type { RunResult } from '../../src/conformance/model/result.js';
import { makeDeviating, makeExchange, makeFinding, makeProblems } from './results.js';
import { makeResult, makeScenario, write as writeAs } from './results.js';

const write = (result: RunResult): string => writeAs('html', result);

/** The text between two tags, as a reader sees it. */
function read(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A section of a page as a reader sees it. */
function readSection(page: string, id: string): string {
  return read(section(page, id));
}

function section(page: string, id: string): string {
  return new RegExp(`<section id="${id}".*?</section>`, 's').exec(page)?.[0] ?? '';
}

test.each([
  [makeScenario('a/a', 'passed'), {}, 'No deviation'],
  [makeScenario('a/a', 'skipped', { reason: 'x' }), {}, 'The run reached no conclusion'],
  [makeScenario('a/a', 'passed'), { interrupted: true }, 'The run did not complete'],
  [makeScenario('a/a', 'passed'), { targetLost: true }, 'The run did not complete'],
])('the page says what it is worth: $verdict %j', (scenario, more, title) => {
  const page = write(makeResult([scenario], more));
  expect(/<h1>(.*?)<\/h1>/.exec(page)?.[1]).toBe(title);
  expect(page.includes('class="alert"')).toBe(Object.keys(more).length > 0);
});

test('the page runs nothing and asks nobody: its policy allows its own style sheet and nothing else', () => {
  const page = write(makeResult([makeDeviating('a/a', [makeFinding()])]));
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  expect(read(policy ?? '')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'$/,
  );
  expect(page).not.toMatch(/\s(?:src|srcset|style|on\w+)=|@import|url\(/);
  expect([...page.matchAll(/\shref="([^"]*)"/g)].every(([, href = '']) => href.startsWith('#'))).toBe(true);
});

test('a huge run has a page of bounded size that says what was left out, and keeps what deviates', () => {
  const body = '<'.repeat(16_000);
  const exchanges = Array.from({ length: 20 }, () => makeExchange({ response: { status: 200, headers: {}, body } }));
  const passed = Array.from({ length: 3000 }, (_, index) =>
    makeScenario(`p/${index}`, 'passed', { steps: [{ id: 'list', exchanges }] }),
  );
  const problemy = makeProblems(2000, (index) => `z/${index}`, { actual: body, expected: body });
  const page = write(makeResult([...passed, ...problemy], { notes: Array.from({ length: 3000 }, () => body) }));
  expect(page.length).toBeLessThan(2_500_000);
  expect(readSection(page, 'problems')).toMatch(/and \d+ more problems, which the JSON report has\.$/);
  const scenarios = section(page, 'scenarios');
  expect(read(scenarios)).toContain('20 exchanges, left out to keep this page small');
  const rows = scenarios.split('<details class="scenario">');
  expect(rows.find((row) => row.includes('>z/0<'))).toContain('class="exchange"');
});
