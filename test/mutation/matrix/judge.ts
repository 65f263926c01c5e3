import { afterAll, expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import type { Finding, RunResult } from '../../../src/conformance/result.js';
import { mutantList, mutants as planted, type MutantId } from '../mutants/index.js';
import { startOpponent } from '../server/start-server.js';
import { variantList, type VariantId } from '../variants/index.js';
import { strictGaps, uncertainGaps, variantGaps } from './expected-gaps.js';
import { expectedChecks } from './expected-checks.js';

/** One test for each mutant of a group: it is found, and by a check that should find it. */
export function testMutants(group: string): void {
  const mutants = mutantList.filter((mutant) => mutant.group === group);
  const found: string[] = [];
  test.each(mutants)('$id: $title', { timeout: 60_000 }, async ({ id }) => {
    const expected = expectedChecks[id] ?? [];
    const checks = await findChecks(id, expected);
    expect([...checks].filter((check) => expected.includes(check))).not.toEqual([]);
    found.push(id);
  });
  afterAll(() =>
    print(`mutants, ${group}: ${found.length} of ${mutants.length} found by the check that should find them`),
  );
}

/** One test for each legal variant: nothing is called a deviation, and a profile says what it does and nothing else. */
export function testVariants(groups: readonly string[]): void {
  const variants = variantList.filter(({ group }) => groups.includes(group));
  const accused: string[] = [];
  test.each(variants)('$id: $title', { timeout: 240_000 }, async ({ id }) => {
    const opponent = await startOpponent({ variant: id as VariantId });
    try {
      const result = await runConformance({ target: opponent.url, apiKey: opponent.apiKey });
      const deviations = listDeviations(result);
      if (deviations.length > 0) accused.push(id);
      expect(deviations).toEqual([]);
      expect(opponent.crashes).toEqual([]);
      expect(result.summary.passed).toBeGreaterThan(50);
      const expected = { ...strictGaps, ...variantGaps[id as VariantId] };
      const answers = listAnswers(result);
      for (const gap of uncertainGaps[id as VariantId] ?? []) answers[gap] = expected[gap];
      expect(answers).toEqual(expected);
    } finally {
      await opponent.close();
    }
  });
  afterAll(() => print(`legal variants, ${groups.join(', ')}: ${accused.length} of ${variants.length} accused`));
}

/** The checks that report deviations, until one that is expected has. */
async function findChecks(mutant: string, expected: readonly string[]): Promise<Set<string>> {
  const opponent = await startOpponent({ mutants: [mutant as MutantId] });
  const stop = new AbortController();
  const checks = new Set<string>();
  try {
    await runConformance({
      target: opponent.url,
      apiKey: opponent.apiKey,
      // A mutant does not settle; the longest that a run would wait for it is not waited here.
      settleMs: 2000,
      // By the letter a page may be shorter than its limit; a strict run wants it full.
      strict: planted[mutant as MutantId].reading === 'full-pages',
      signal: stop.signal,
      onEvent(event) {
        if (event.type !== 'scenarioFinished') return;
        for (const { check } of listFindings(event.result)) checks.add(check);
        if (expected.some((check) => checks.has(check))) stop.abort();
      },
    });
    expect(opponent.crashes).toEqual([]);
    return checks;
  } finally {
    await opponent.close();
  }
}

/** What a profile says, by gap; of codes it lists those that were seen, which every refusal adds to. */
function listAnswers({ gaps }: RunResult): Record<string, unknown> {
  return Object.fromEntries(gaps.filter(({ id }) => id !== 'error-codes').map(({ id, answer }) => [id, answer]));
}

function listDeviations(result: RunResult): string[] {
  return result.scenarios.flatMap((scenario) =>
    listFindings(scenario).map(
      ({ check, at, expected, actual }) => `${scenario.id}: ${check} at ${at}: expected ${expected}, found ${actual}`,
    ),
  );
}

function listFindings({ steps }: RunResult['scenarios'][number]): Finding[] {
  const findings = steps.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.findings));
  return findings.filter(({ severity }) => severity === 'deviation');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
