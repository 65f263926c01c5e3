import type { Mistake } from '../checks/check.js';
import { PetstoreMockError, type SourcePlace } from '../../errors.js';
import { findNearest, suggest } from '../../suggest.js';
import { findStepMistake, type Library } from './check-step.js';
import type { Scenario } from '../model/scenario.js';
import { matchesId, findCycle, suggestPattern } from './select-scenarios.js';
import { listReferences, REFERENCE } from '../http/template.js';
import type { Contract } from '../../contract/contract.js';
import { escapePointer, parsePointer } from '../../contract/document/document.js';

/** A scenario, and the place of each of its parts, by a relative JSON Pointer. */
export interface LoadedScenario {
  scenario: Scenario;
  locate: (at: string) => SourcePlace;
  isProven: boolean;
  columns: ReadonlySet<string>;
}

/** Finds what the schema of the file cannot: dangling names, values of no use. Throws a {@link PetstoreMockError} for the first. */
export function checkScenario({ scenario, locate, columns }: LoadedScenario, library: Library): void {
  if (scenario.leftOut !== undefined) return;
  const mistake = findMistake(scenario, library) ?? findUnusedColumn(scenario.case, columns);
  if (mistake !== undefined)
    throw new PetstoreMockError('unusable-scenario', `${scenario.id}: ${mistake.message}`, locate(mistake.at));
}

/** Throws a {@link PetstoreMockError} for mistakes that only all scenarios together show. */
export function checkTogether(scenarios: readonly Scenario[]): void {
  const seen = new Set<string>();
  const repeated = scenarios.find(({ id }) => seen.size === seen.add(id).size);
  const waiting = repeated ?? findCycle(scenarios);
  if (waiting === undefined) return;
  const message =
    waiting === repeated
      ? `there are two scenarios with the id ${waiting.id}.`
      : `${waiting.id} waits for itself through \`dependsOn\` or \`after\`.`;
  throw new PetstoreMockError('unusable-scenario', message, waiting.place);
}

function findMistake(scenario: Scenario, library: Library): Mistake | undefined {
  const found =
    (scenario.hasShippedBasis && scenario.basis !== '' ? undefined : findBadBasis(scenario, library.contract)) ??
    findUnknownDependency(scenario, library) ??
    findBadGap(scenario, library) ??
    findBadCase(scenario) ??
    findRepeatedStep(scenario);
  if (found !== undefined) return found;
  for (const [index, step] of scenario.steps.entries()) {
    const mistake = findStepMistake(step, scenario, library);
    if (mistake !== undefined)
      return { at: `/steps/${index}${mistake.at}`, message: `step ${step.id}: ${mistake.message}` };
  }
  return undefined;
}

function findUnknownDependency(scenario: Scenario, { scenarios }: Library): Mistake | undefined {
  const ids = scenarios.map(({ id }) => id);
  for (const list of ['dependsOn', 'after'] as const) {
    for (const [index, pattern] of scenario[list].entries()) {
      const at = `/${list}/${index}`;
      const fitting = ids.filter((id) => matchesId(id, pattern));
      if (fitting.length === 0)
        return { at, message: `there is no scenario ${pattern}${suggestPattern(pattern, ids)}` };
      if (list === 'dependsOn' && fitting.every((id) => id === scenario.id))
        return { at, message: 'it depends on itself.' };
    }
  }
  return undefined;
}

function findBadGap({ gap, steps }: Scenario, { gaps }: Library): Mistake | undefined {
  const observing = steps.findIndex(({ outcomes, search }) => outcomes !== undefined || search !== undefined);
  if (gap === undefined && observing === -1) return undefined;
  if (gap === undefined)
    return { at: `/steps/${observing}`, message: 'it observes something, so it must name the `gap` that it is about.' };
  const known = gaps.map(({ id }) => id);
  if (!known.includes(gap)) return { at: '/gap', message: `there is no gap ${gap}${suggest(gap, known)}` };
  if (observing !== -1) return undefined;
  return { at: '/gap', message: `no step has \`outcomes\` or a \`search\` that would show anything about ${gap}.` };
}

function findRepeatedStep({ steps }: Scenario): Mistake | undefined {
  const repeated = steps.findIndex(({ id }, index) => steps.findIndex((step) => step.id === id) !== index);
  if (repeated === -1) return undefined;
  return { at: `/steps/${repeated}`, message: `there are two steps with the id ${steps[repeated]?.id ?? ''}.` };
}

function findBadCase({ case: row }: Scenario): Mistake | undefined {
  const bad = listReferences(row).find(
    (reference) => !REFERENCE.test(reference) || /^\$(?:case|steps)\b/.test(reference),
  );
  if (bad === undefined) return undefined;
  return { at: '', message: `the case has ${bad}, a reference that a case cannot have.` };
}

function findUnusedColumn(row: Scenario['case'], columns: ReadonlySet<string>): Mistake | undefined {
  const missing = [...columns].find((name) => !Object.hasOwn(row, name));
  if (missing !== undefined)
    return { at: '', message: `the case has no \`${missing}\`${suggest(missing, Object.keys(row))}` };
  const unused = Object.keys(row).find((name) => name !== 'id' && !columns.has(name));
  if (unused === undefined) return undefined;
  const near = findNearest(unused, [...columns]);
  const hint = near === undefined ? '' : `; steps refer to $case.${near}`;
  return { at: '', message: `the case has \`${unused}\`, which nothing refers to${hint}.` };
}

const KINDS = 'a pointer into the contract (#/paths/...), an RFC (RFC 9110 section 15.5.5), or a URL';
const RFC = /^RFC [1-9]\d*(?: section \d+(?:\.\d+)*)?$/;

/** A rule is at an existing place of the contract, in an RFC, or at a URL; the basis of a gap is where the gap says. */
function findBadBasis({ basis, gap }: Scenario, { document }: Contract): Mistake | undefined {
  if (basis === '') {
    const message = `\`basis\` is missing. It says where the rule stands: ${KINDS}.`;
    return gap === undefined ? { at: '', message } : undefined;
  }
  if (basis.startsWith('#')) return findDeadPointer(basis.slice(1), document);
  if (RFC.test(basis) || (/^https?:\/\//i.test(basis) && URL.canParse(basis))) return undefined;
  return { at: '/basis', message: `the basis ${basis} does not exist; it must be ${KINDS}.` };
}

function findDeadPointer(pointer: string, document: Contract['document']): Mistake | undefined {
  if (document.at(pointer) !== undefined) return undefined;
  let reached = '';
  for (const part of parsePointer(pointer)) {
    const next = `${reached}/${escapePointer(part)}`;
    if (document.at(next) === undefined) {
      const near = suggest(part, Object.keys(Object(document.at(reached)) as object));
      const place = reached === '' ? 'the contract' : `the contract at #${reached}`;
      return { at: '/basis', message: `the basis does not exist: ${place} has no ${part}${near}` };
    }
    reached = next;
  }
  return undefined;
}
