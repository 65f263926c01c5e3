import type { Operation } from '../../contract/model.js';
import { suggest } from '../../suggest.js';
import { kindOfBody } from '../judge/body-kind.js';
import { type Given, type Mistake, within } from '../judge/keyword.js';
import { findUnusableKeyword, keywords, listKeywords } from '../judge/keywords.js';
import { findBadRecords } from './check-records.js';
import { findBadRequest } from './check-request.js';
import type { Library } from './library.js';
import { findBadSchema } from '../judge/judge-schema.js';
import { AUTH_FORMS, type Expectation, type Outcome, type Scenario, type Step } from '../model/scenario.js';
import { isReference, listReferences, REFERENCE } from '../http/template.js';
import { parsePointer } from '../../contract/document/document.js';

/** What is wrong with a step, at a pointer from it. */
export function findStepMistake(step: Step, scenario: Scenario, library: Library): Mistake | undefined {
  const { operations } = library.contract;
  return (
    findUnknownOperation(step, operations) ??
    findUnknownAuth(step) ??
    findBadRequest(step, operations) ??
    findBadReference(step, scenario, library) ??
    findBadSettle(step, scenario, operations) ??
    findBadExpectation('expect', step, library) ??
    findBadExpectation('assume', step, library) ??
    findBadOutcomes(step, scenario, library)
  );
}

function findUnknownOperation({ operationId }: Step, operations: readonly Operation[]): Mistake | undefined {
  if (operationId === undefined) return undefined;
  const known = operations.map((operation) => operation.id);
  if (known.includes(operationId)) return undefined;
  return {
    at: '/operationId',
    message: `the contract has no operation ${operationId}${suggest(operationId, known)}`,
  };
}

/** `lackingScope` needs to know which scope, so only the shipped scenarios have it. */
const NAMED_FORMS = Object.keys(AUTH_FORMS).filter((form) => form !== 'lackingScope');

function findUnknownAuth({ auth }: Step): Mistake | undefined {
  return NAMED_FORMS.includes(auth)
    ? undefined
    : { at: '/auth', message: `${auth} is not a way to authenticate${suggest(auth, NAMED_FORMS)}` };
}

/** Repeated steps must not create anything. */
function findBadSettle(step: Step, scenario: Scenario, operations: readonly Operation[]): Mistake | undefined {
  if (step.retryFrom === undefined) {
    return step.rounds === undefined
      ? undefined
      : { at: '/rounds', message: '`rounds` says how often `retryFrom` repeats, and the step has none.' };
  }
  const at = '/retryFrom';
  const steps = scenario.steps.map(({ id }) => id);
  const from = steps.indexOf(step.retryFrom);
  if (from === -1 || from > steps.indexOf(step.id)) {
    const message = `\`retryFrom\` names ${step.retryFrom}, which is neither this step nor an earlier one${suggest(step.retryFrom, steps)}`;
    return { at, message };
  }
  const repeated = scenario.steps.slice(from, steps.indexOf(step.id) + 1);
  const creating = repeated.find((each) => sendsPost(each, operations) && !isToBeRefused(each));
  return creating === undefined
    ? undefined
    : { at, message: `\`retryFrom\` would repeat ${creating.id}, which creates a record.` };
}

function findBadExpectation(part: 'expect' | 'assume', step: Step, library: Library): Mistake | undefined {
  const expectation = step[part];
  if (expectation === undefined) return undefined;
  if (listKeywords(expectation).length === 0) {
    const known = Object.keys(keywords).join(', ');
    return { at: `/${part}`, message: `\`${part}\` checks nothing; it may have ${known}.` };
  }
  const kind = findKind(expectation, step, library);
  const unfit = listKeywords(expectation).find((name) => keywords[name].looksAt === 'body' && kind === 'none');
  if (unfit !== undefined) return { at: `/${part}/${unfit}`, message: describeUnfit(unfit, step) };
  const misplaced = findBadRecords(expectation, step, library);
  if (misplaced !== undefined) return within(`/${part}`, misplaced);
  const unusable = findUnusableKeyword(expectation, createGiven(kind));
  if (unusable === undefined) return undefined;
  const { keyword, at, message } = unusable;
  return { at: `/${part}/${keyword}${at}`, message: `\`${part}.${keyword}${at.replaceAll('/', '.')}\`: ${message}` };
}

type BodyKind = ReturnType<typeof kindOfBody>;

/** What the contract says about the expected answers. */
function findKind({ status }: Expectation, step: Step, { contract }: Library): BodyKind {
  if (step.request?.method.toUpperCase() === 'HEAD') return 'none';
  const operation = contract.operations.find(({ id }) => id === step.operationId);
  const statuses = [status ?? step.expect?.status ?? '2XX'].flat();
  return operation === undefined || statuses.some(isReference) ? undefined : kindOfBody(contract, operation, statuses);
}

function describeUnfit(keyword: keyof Expectation, { operationId, request }: Step): string {
  const answer = `the response of ${operationId ?? request?.method ?? ''}`;
  return `\`${keyword}\` looks at a body, and ${answer} has no body; \`status\` and \`headers\` can be looked at.`;
}

function createGiven(kind: BodyKind): Given {
  return {
    stage: 'file',
    isOpen: isReference,
    bodyKind: kind === 'list' || kind === 'object' ? kind : undefined,
  };
}

function findBadOutcomes({ outcomes = [] }: Step, { gap }: Scenario, library: Library): Mistake | undefined {
  const known = library.gaps.find(({ id }) => id === gap);
  const choices = known?.kind === 'choice' ? Object.keys(known.choices) : undefined;
  for (const [index, outcome] of outcomes.entries()) {
    const { choice } = outcome;
    if (choice !== undefined && choices !== undefined && !choices.includes(choice)) {
      const message = `${gap ?? ''} has no choice ${choice}${suggest(choice, choices)}`;
      return { at: `/outcomes/${index}/choice`, message };
    }
    const mistake = findBadSchemas(outcome);
    if (mistake !== undefined) return within(`/outcomes/${index}`, mistake);
  }
  return undefined;
}

function findBadSchemas({ headers = {}, body, given = [] }: Outcome): Mistake | undefined {
  const schemas: [at: string, schema: unknown][] = [
    ...Object.entries(headers).map(([name, schema]): [string, unknown] => [`/headers/${name}`, schema]),
    ...(body === undefined ? [] : [['/body', body] as [string, unknown]]),
    ...given.map(({ is }, index): [string, unknown] => [`/given/${index}/is`, is]),
  ];
  for (const [at, schema] of schemas) {
    const mistake = findBadSchema(schema, createGiven(undefined), undefined);
    if (mistake !== undefined)
      return { at: at + mistake.at, message: `\`outcomes\`${at.replaceAll('/', '.')}: ${mistake.message}` };
  }
  return undefined;
}

/** Whether a service that conforms to the contract creates nothing for it. */
export function isToBeRefused({ expect }: Step): boolean {
  const statuses = [expect?.status ?? []].flat();
  return statuses.length > 0 && statuses.every((status) => String(status).startsWith('4'));
}

/** Whether a step may change the target. */
export function sendsPost(step: Step, operations: readonly Operation[]): boolean {
  const method = step.request?.method ?? operations.find(({ id }) => id === step.operationId)?.method ?? 'GET';
  return !['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase());
}

/** Parts of a step that are filled in before its answer arrives. */
const BEFORE_THE_ANSWER = ['parameters', 'query', 'headers', 'requestBody', 'request', 'each'] as const;

/** A reference in a step that can never have a value. */
function findBadReference(step: Step, scenario: Scenario, library: Library): Mistake | undefined {
  for (const [part, value] of Object.entries(step)) {
    for (const { reference, at } of listPlaces(value, `/${part}`)) {
      const message = findUntimely(reference, part, step) ?? findLeadingNowhere(reference, { step, scenario, library });
      if (message !== undefined) return { at, message };
    }
  }
  return undefined;
}

function listPlaces(value: unknown, at: string): { reference: string; at: string }[] {
  if (typeof value !== 'object' || value === null) {
    return listReferences(value).map((reference) => ({ reference, at }));
  }
  return Object.entries(value).flatMap(([key, item]) => listPlaces(item, `${at}/${key}`));
}

function findUntimely(reference: string, part: string, step: Step): string | undefined {
  const isEarly = (BEFORE_THE_ANSWER as readonly string[]).includes(part);
  if (isEarly && /^\$(?:request|response)\b/.test(reference)) {
    return `${reference} is only known after the response, but \`${part}\` is sent before.`;
  }
  if (
    reference.startsWith('$each') &&
    step.each === undefined &&
    step.search === undefined &&
    step.pages === undefined
  ) {
    return `${reference} is an item of the list in \`each\`, and the step has none.`;
  }
  return undefined;
}

interface Surroundings {
  step: Step;
  scenario: Scenario;
  library: Library;
}

function findLeadingNowhere(reference: string, { step, scenario, library }: Surroundings): string | undefined {
  if (!REFERENCE.test(reference)) return `${reference} is not a known reference; to write a plain $, write $$.`;
  const [path = '', pointer] = reference.slice(1).split(/#(.*)/s);
  const [root, ...rest] = path.split('.');
  const name = rest[0] ?? '';
  if (root === 'case') return findInCase(scenario, name, pointer);
  if (root === 'steps') return findInSteps(scenario, step, rest);
  if (root === 'scenarios') return findInScenarios(reference, scenario, library);
  if (root !== 'contract' || library.contract.document.at(pointer ?? '') !== undefined) return undefined;
  return `the contract has nothing at #${pointer ?? ''}.`;
}

function findInCase({ case: row }: Scenario, name: string, pointer: string | undefined): string | undefined {
  if (!Object.hasOwn(row, name)) return `the case has no \`${name}\`${suggest(name, Object.keys(row))}`;
  const found = parsePointer(pointer ?? '').reduce<unknown>(
    (value, key) => (Object.hasOwn(Object(value) as object, key) ? (value as Record<string, unknown>)[key] : undefined),
    row[name],
  );
  const isOpen = listReferences(row[name]).length > 0;
  return found !== undefined || isOpen ? undefined : `\`${name}\` of the case has nothing at #${pointer ?? ''}.`;
}

function findInSteps(scenario: Scenario, step: Step, [name = '', part, output = '']: string[]): string | undefined {
  const steps = scenario.steps.map(({ id }) => id);
  if (!steps.slice(0, steps.indexOf(step.id)).includes(name)) {
    return `there is no earlier step ${name}${suggest(name, steps)}`;
  }
  if (part !== 'outputs') return undefined;
  const outputs = Object.keys(scenario.steps.find(({ id }) => id === name)?.outputs ?? {});
  return outputs.includes(output) ? undefined : `step ${name} has no output ${output}${suggest(output, outputs)}`;
}

function findInScenarios(reference: string, { dependsOn }: Scenario, { scenarios }: Library): string | undefined {
  const [, name = '', output = ''] = /^\$scenarios\.([\w/-]+)\.outputs\.([\w-]+)/.exec(reference) ?? [];
  if (!dependsOn.includes(name)) return `${reference} needs ${name} under \`dependsOn\`.`;
  const source = scenarios.find(({ id }) => id === name);
  if (source === undefined) return `${name} is a table, so it has no single output ${output}.`;
  const outputs = source.steps.flatMap((each) => Object.keys(each.outputs));
  return outputs.includes(output) || source.leftOut !== undefined
    ? undefined
    : `${name} has no output ${output}${suggest(output, outputs)}`;
}
