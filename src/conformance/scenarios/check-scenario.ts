import type { Operation } from '../../contract/model.js';
import { PetstoreMockError } from '../../errors.js';
import { suggest } from '../../suggest.js';
import { compile } from './match-schema.js';
import { AUTH_FORMS, type Scenario, type Step } from './scenario.js';
import { matchesId, suggestPattern } from './select-scenarios.js';
import { listReferences, REFERENCE } from './template.js';

/** Finds what the schema of the file cannot: names that lead nowhere. Throws a {@link PetstoreMockError} for the first. */
export function checkScenario(scenario: Scenario, all: readonly Scenario[], operations: readonly Operation[]): void {
  if (scenario.leftOut !== undefined) return;
  const mistake =
    findUnknownDependency(scenario, all) ??
    findBadCase(scenario) ??
    findRepeatedStep(scenario) ??
    scenario.steps.map((step) => findMistake(step, scenario, operations)).find((found) => found !== undefined);
  if (mistake === undefined) return;
  throw new PetstoreMockError('unusable-scenario', `${scenario.id}: ${mistake}`, scenario.place);
}

function findUnknownDependency(scenario: Scenario, all: readonly Scenario[]): string | undefined {
  const ids = all.map(({ id }) => id);
  const unknown = [...scenario.dependsOn, ...scenario.after].find(
    (pattern) => !ids.some((id) => matchesId(id, pattern)),
  );
  return unknown === undefined ? undefined : `there is no scenario ${unknown}${suggestPattern(unknown, ids)}`;
}

function findRepeatedStep({ steps }: Scenario): string | undefined {
  const repeated = steps.find(({ id }, index) => steps.findIndex((step) => step.id === id) !== index);
  return repeated === undefined ? undefined : `there are two steps with the id ${repeated.id}.`;
}

/** A row is filled in where a step refers to it, so it cannot refer to a row itself. */
function findBadCase({ case: row }: Scenario): string | undefined {
  const bad = listReferences(row).find(
    (reference) => !REFERENCE.test(reference) || /^\$(?:case|steps)\b/.test(reference),
  );
  return bad === undefined ? undefined : `the case has ${bad}, which is no reference that a case can have.`;
}

function findMistake(step: Step, scenario: Scenario, operations: readonly Operation[]): string | undefined {
  return (
    findUnknownOperation(step, operations) ??
    findUnknownAuth(step) ??
    findBadReference(step, scenario) ??
    findBadSettle(step, scenario, operations) ??
    findBadSchema(step)
  );
}

function findUnknownOperation({ id, operationId }: Step, operations: readonly Operation[]): string | undefined {
  if (operationId === undefined) return undefined;
  const known = operations.map((operation) => operation.id);
  if (known.includes(operationId)) return undefined;
  return `step ${id}: the contract has no operation ${operationId}${suggest(operationId, known)}`;
}

function findUnknownAuth({ id, auth }: Step): string | undefined {
  return AUTH_FORMS.includes(auth)
    ? undefined
    : `step ${id}: ${auth} is no way to authenticate${suggest(auth, AUTH_FORMS)}`;
}

function findBadReference(step: Step, scenario: Scenario): string | undefined {
  for (const reference of listReferences(step)) {
    if (!REFERENCE.test(reference))
      return `step ${step.id}: ${reference} is no reference that is known; $$ stands for a $ itself.`;
    const [root, name = ''] = reference.slice(1).split(/[.#]/);
    if (root === 'case' && !Object.hasOwn(scenario.case, name)) {
      return `step ${step.id}: the case has no \`${name}\`${suggest(name, Object.keys(scenario.case))}`;
    }
    const steps = scenario.steps.map(({ id }) => id);
    if (root === 'steps' && !steps.slice(0, steps.indexOf(step.id)).includes(name)) {
      return `step ${step.id}: there is no earlier step ${name}${suggest(name, steps)}`;
    }
    if (root === 'scenarios' && !scenario.dependsOn.includes(name)) {
      return `step ${step.id}: ${reference} needs ${name} under \`dependsOn\`.`;
    }
  }
  return undefined;
}

/** Steps that are repeated must not create anything. */
function findBadSettle(step: Step, scenario: Scenario, operations: readonly Operation[]): string | undefined {
  if (step.settle === undefined) return undefined;
  const steps = scenario.steps.map(({ id }) => id);
  const from = steps.indexOf(step.settle);
  if (from === -1 || from > steps.indexOf(step.id)) {
    return `step ${step.id}: \`settle\` names ${step.settle}, which is no step up to this one${suggest(step.settle, steps)}`;
  }
  const repeated = scenario.steps.slice(from, steps.indexOf(step.id) + 1);
  const creating = repeated.find((each) => sendsPost(each, operations) && !isToBeRefused(each));
  return creating === undefined
    ? undefined
    : `step ${step.id}: \`settle\` would repeat ${creating.id}, which creates an animal.`;
}

function findBadSchema({ id, expect, assume, outcomes }: Step): string | undefined {
  const expectations = [expect, assume, ...(outcomes ?? [])];
  const givens = (outcomes ?? []).flatMap(({ given }) => (given ?? []).map(({ is }) => ['given', is] as const));
  const schemas = [
    ...expectations.flatMap((each) => Object.entries({ ...each?.headers, body: each?.body })),
    ...givens,
  ];
  for (const [name, schema] of schemas) {
    if (schema === undefined || listReferences(schema).length > 0) continue;
    try {
      compile(schema);
    } catch (error) {
      return `step ${id}: what is expected of \`${name}\` is no JSON Schema: ${(error as Error).message}.`;
    }
  }
  return undefined;
}

/** Whether a service that keeps the contract creates nothing for it. */
function isToBeRefused({ expect }: Step): boolean {
  const statuses = [expect?.status ?? []].flat();
  return statuses.length > 0 && statuses.every((status) => String(status).startsWith('4'));
}

/** Whether a step may change the target. */
export function sendsPost(step: Step, operations: readonly Operation[]): boolean {
  const method = step.request?.method ?? operations.find(({ id }) => id === step.operationId)?.method ?? 'GET';
  return !['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase());
}
