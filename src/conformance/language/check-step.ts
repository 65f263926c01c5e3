import type { Operation } from '../../contract/model.js';
import { suggest, findNearest } from '../../suggest.js';
import { kindOfBody } from '../judge/response.js';
import { type Given, type Mistake, within } from '../judge/check.js';
import { findUnusableKeyword, keywords, listKeywords } from '../judge/index.js';
import { findBadSchema } from '../judge/expectations.js';
import { AUTH_FORMS, type Expectation, type Outcome, type Scenario, type Step } from '../model/scenario.js';
import { isReference, listReferences, REFERENCE } from '../wire/request/template.js';
import { parsePointer } from '../../contract/document/document.js';
import { show, isRecord } from '../judge/show.js';
import { isEscaped } from '../wire/request/encode.js';
import type { Contract } from '../../contract/contract.js';
import { readProperties, type Property } from '../../contract/operations/properties.js';
import { findAsked } from '../ledger/shown-records.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import type { ContractValues } from '../wire/request/contract-values.js';

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

/** Parts of a step's request that cannot be sent. */
function findBadRequest(step: Step, operations: readonly Operation[]): Mistake | undefined {
  const operation = operations.find(({ id }) => id === step.operationId);
  return (
    (operation === undefined ? undefined : findBadParameter(step, operation)) ??
    findUnsendable(step) ??
    findBadBody(step) ??
    findBadEach(step)
  );
}

function findBadParameter(step: Step, { id, parameters }: Operation): Mistake | undefined {
  const known = parameters.filter((each) => each.in === 'path' || each.in === 'query');
  for (const name of Object.keys(step.parameters)) {
    const at = `/parameters/${name}`;
    const parameter = known.find((each) => each.name === name);
    if (parameter === undefined) return { at, message: describeUnknown(name, id, parameters) };
    if (parameter.in === 'query' && step.query !== undefined) {
      return { at, message: `\`${name}\` would not be sent, since \`query\` is the whole query.` };
    }
  }
  const missing = known.find((each) => each.in === 'path' && (step.parameters[each.name] ?? null) === null);
  return missing === undefined
    ? undefined
    : { at: '/parameters', message: `the path of ${id} needs the parameter \`${missing.name}\`.` };
}

function describeUnknown(name: string, id: string, parameters: Operation['parameters']): string {
  const other = parameters.find((each) => each.name.toLowerCase() === name.toLowerCase() && each.in === 'header');
  if (other !== undefined) return `${name} is a header field of ${id}; put it under \`headers\`.`;
  const names = parameters.map((each) => each.name);
  return `the contract gives ${id} no parameter \`${name}\`${suggest(name, names)} To send one that it does not have, use \`query\`.`;
}

/** A value in a URL is a text, a number or a boolean; `null` leaves a parameter out. */
function findUnsendable({ parameters }: Step): Mistake | undefined {
  const found = Object.entries(parameters).find(
    ([, value]) => typeof value === 'object' && value !== null && !isEscaped(value),
  );
  return found === undefined
    ? undefined
    : { at: `/parameters/${found[0]}`, message: `\`${found[0]}\` must be one value, but is ${show(found[1])}.` };
}

function findBadBody({ requestBody }: Step): Mistake | undefined {
  if (requestBody === undefined) return undefined;
  const at = '/requestBody';
  const given = (['json', 'text', 'base64'] as const).filter((name) => requestBody[name] !== undefined);
  if (given.length !== 1) {
    const has = given.length === 0 ? 'none of them' : given.join(' and ');
    return { at, message: `a body must have one of \`json\`, \`text\` and \`base64\`, and this has ${has}.` };
  }
  const { base64, padTo } = requestBody;
  if (base64 === undefined) return undefined;
  if (padTo !== undefined) return { at: `${at}/padTo`, message: '`padTo` adds white space to JSON, not to bytes.' };
  return isReference(base64) || /^(?:[\w+/-]{4})*(?:[\w+/-]{2,3}=?=?)?$/.test(base64)
    ? undefined
    : { at: `${at}/base64`, message: 'these bytes are not valid base64.' };
}

function findBadEach({ each, atOnce, search }: Step): Mistake | undefined {
  if (atOnce !== undefined && (each !== undefined || search !== undefined)) {
    return {
      at: '/atOnce',
      message: 'a step with `atOnce` sends one request several times; it cannot have `each` or `search`.',
    };
  }
  if (each === undefined || Array.isArray(each.in) || isReference(each.in)) return undefined;
  return { at: '/each/in', message: `it must be a reference to a list, but is ${show(each.in)}.` };
}

/** What is wrong with `record` and `records` of a file, by the records that the operation of the step answers. */
function findBadRecords(expectation: Expectation, step: Step, { contract }: Library): Mistake | undefined {
  const operation = contract.operations.find(({ id }) => id === step.operationId);
  const asked = findAsked(contract, { operation });
  for (const word of ['record', 'records'] as const) {
    if (expectation[word] === undefined) continue;
    const body = asked?.role.success.body;
    if (asked === undefined || body !== (word === 'record' ? 'record' : 'list'))
      return { at: `/${word}`, message: describeMisplaced(word, step, body) };
    const fields = readProperties(contract.document, asked.subject.resource.schemaPointer);
    const own = { [word]: expectation[word] };
    const mistake = findBadValue(own, fields, contract) ?? findStranger(own, fields);
    if (mistake !== undefined) return within(`/${word}`, mistake);
  }
  return undefined;
}

/** A value of `every` that no record can have. */
function findBadValue(
  { records }: Expectation,
  fields: readonly Property[],
  { validate }: Contract,
): Mistake | undefined {
  for (const [name, value] of Object.entries(records?.every ?? {})) {
    const at = `/every/${name}`;
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return { at, message: describeStranger(name, fields) };
    const [violation] = isReference(value) ? [] : validate.value(field.schemaPointer, value);
    if (violation === undefined) continue;
    const { expected } = violation;
    const message = `no record can have ${show(value)} as \`${name}\`: it is ${expected}${suggestValue(value, expected)}`;
    return { at, message };
  }
  return undefined;
}

/** A field of `like` that no record has. */
function findStranger({ record, records }: Expectation, fields: readonly Property[]): Mistake | undefined {
  const named = [record?.like, ...(records?.has ?? []).map(({ like }) => like)].filter(isRecord);
  const stranger = named.flatMap(Object.keys).find((name) => fields.every((each) => each.name !== name));
  return stranger === undefined ? undefined : { at: '', message: describeStranger(stranger, fields) };
}

function describeStranger(name: string, fields: readonly Property[]): string {
  const known = fields.map((each) => each.name);
  return `a record has no \`${name}\`${suggest(name, known)}`;
}

function describeMisplaced(word: string, { operationId, request }: Step, body: string | undefined): string {
  const looks = word === 'record' ? 'one record' : 'a list';
  if (request !== undefined)
    return `\`${word}\` looks at ${looks} of an operation, and ${request.method} ${request.path} names none; \`operationId\` does.`;
  const is = body === 'list' ? 'is a list' : `is no ${word === 'record' ? 'record' : 'list'}`;
  return `\`${word}\` looks at ${looks}, and the response of ${operationId ?? ''} ${is}; \`equals\` and \`body\` look at either.`;
}

/** The listed value that was hardly another. */
function suggestValue(value: unknown, expected: string): string {
  const near = findNearest(String(value), expected.match(/[\w-]+/g) ?? []);
  return near === undefined ? '.' : `; did you mean ${near}?`;
}

/** What scenarios may refer to. */
export interface Library {
  scenarios: readonly Scenario[];
  contract: Contract;
  values: ContractValues;
  gaps: readonly Gap[];
}
