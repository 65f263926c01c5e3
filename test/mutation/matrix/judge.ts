import { changed, inTurn } from '../../../scripts/turns.mjs';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/index.js';
import type { Finding, RunResult } from '../../../src/conformance/model/result.js';
import { mutantList, mutants as planted, type MutantId, type RegisteredMutant } from '../mutants/index.js';
import { readRecording } from '../../fence/recording.js';
import { expectedHeadline } from '../problems/headlines.js';
import { judgeMutants } from '../problems/judge.js';
import { startMutationServer } from '../server/start-server.js';
import { variantList, type RegisteredVariant, type VariantId } from '../variants/index.js';
import { strictGaps, uncertainGaps, variantGaps } from './expected-gaps.js';

/** How often a long list of tests says how far it is. */
const TOLD_EVERY = 20;

/**
 * One test for each mutant whose turn it is, of a part of them: a check that should find it does, and a whole run reports it by a
 * headline that fits, and as hardly more problems than `npm run fence` has recorded. An eighth of them has its turn; those that a
 * changed file plants run in every turn.
 */
export function testMutantsOf(part: number, of: number): void {
  const isTouched = ({ group }: RegisteredMutant): boolean =>
    changed.some((path) => path.startsWith(`test/mutation/mutants/${group}`));
  const chosen = inTurn(mutantList, 8, isTouched).filter((_, index) => index % of === part - 1);
  testEach(`part ${part} of ${of}`, chosen, async ({ id }) => {
    const { result, crashes } = await judgeMutants([id as MutantId]);
    expect(crashes).toEqual([]);
    const headlines = result.problems.map(({ headline }) => headline);
    expect(headlines.filter((headline) => expectedHeadline(id).test(headline))).not.toEqual([]);
    const recorded = readRecording()[`mutants/${id}`]?.problems.length ?? 1;
    // What runs at once may show a defect in one more place.
    expect(headlines.length <= recorded + 2, `${recorded} recorded: ${headlines.join(' · ')}`).toBe(true);
    return listChecks(result);
  });
}

/** One test for each mutant: a check that should find it does, in a run that ends there. */
export function testMutants(title: string, mutants: readonly RegisteredMutant[]): void {
  testEach(title, mutants, ({ id, foundBy }) => findChecks(id, foundBy));
}

function testEach(
  title: string,
  mutants: readonly RegisteredMutant[],
  find: (mutant: RegisteredMutant) => Promise<Iterable<string>>,
): void {
  describe(`mutants, ${title}`, () => {
    let found = 0;
    tellProgress(`mutants, ${title}`, mutants.length);
    test.each(mutants)('$id: $title', async (mutant) => {
      const checks = [...(await find(mutant))];
      expect(checks.filter((check) => mutant.foundBy.includes(check))).not.toEqual([]);
      found++;
    });
    afterAll(() => print(`mutants, ${title}: ${found} of ${mutants.length} found by the check that should find them`));
  });
}

/** One test for each legal variant whose turn it is, of a part of them. */
export function testVariantsOf(part: number, of: number): void {
  const isTouched = ({ group }: RegisteredVariant): boolean => changed.includes(`test/mutation/variants/${group}.ts`);
  const chosen = inTurn(variantList, 4, isTouched).filter((_, index) => index % of === part - 1);
  testVariants(`part ${part} of ${of}`, chosen);
}

/** One test for each legal variant: nothing is called a deviation, and a profile says what it does and nothing else. */
export function testVariants(title: string, variants: readonly RegisteredVariant[]): void {
  describe(`legal variants, ${title}`, () => {
    const accused: string[] = [];
    tellProgress(`legal variants, ${title}`, variants.length);
    test.each(variants)('$id: $title', async ({ id }) => {
      const deviations = await judgeVariant(id as VariantId);
      if (deviations.length > 0) accused.push(id);
      expect(deviations).toEqual([]);
    });
    afterAll(() => print(`legal variants, ${title}: ${accused.length} of ${variants.length} accused`));
  });
}

/** What a run says against a variant; all else that it should say is asserted here. */
async function judgeVariant(id: VariantId): Promise<string[]> {
  const server = await startMutationServer({ variant: id });
  try {
    const result = await runConformance({ target: server.url, apiKey: server.apiKey });
    const deviations = listDeviations(result);
    if (deviations.length > 0) return deviations;
    expect(server.crashes).toEqual([]);
    expect(result.summary.passed).toBeGreaterThan(50);
    const expected = { ...strictGaps, ...variantGaps[id] };
    const answers = listAnswers(result);
    for (const gap of uncertainGaps[id] ?? []) answers[gap] = expected[gap];
    expect(answers).toEqual(expected);
    return [];
  } finally {
    await server.close();
  }
}

/** Says now and then how many tests of a long list have ended. */
function tellProgress(title: string, total: number): void {
  let ended = 0;
  afterEach(() => {
    ended++;
    if (ended % TOLD_EVERY === 0 && ended < total) print(`${title}: ${ended} of ${total} tried`);
  });
}

/** The checks that report deviations, until one that is expected has. */
async function findChecks(mutant: string, expected: readonly string[]): Promise<Set<string>> {
  const server = await startMutationServer({ mutants: [mutant as MutantId] });
  const stop = new AbortController();
  const checks = new Set<string>();
  try {
    await runConformance({
      target: server.url,
      apiKey: server.apiKey,
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
    expect(server.crashes).toEqual([]);
    return checks;
  } finally {
    await server.close();
  }
}

/** What a profile says, by gap; of codes it lists those that were seen, which every refusal adds to. */
function listAnswers({ gaps }: RunResult): Record<string, unknown> {
  return Object.fromEntries(gaps.filter(({ id }) => id !== 'error-codes').map(({ id, answer }) => [id, answer]));
}

function listChecks({ scenarios }: RunResult): string[] {
  return scenarios.flatMap(listFindings).map(({ check }) => check);
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
