import { within, isRecord, show, type Mistake, type Given } from '../checks/check.js';
import { PetstoreMockError, type SourcePlace } from '../../errors.js';
import { findNearest, suggest } from '../../suggest.js';
import { AUTH_FORMS, type Scenario, type Expectation, type Outcome, type Step } from '../model/scenario.js';
import { fillCase, listReferences, REFERENCE, isReference, type ContractValues } from '../http/template.js';
import type { Contract } from '../../contract/contract.js';
import { escapePointer, parsePointer } from '../../contract/document/document.js';
import { groupBy, remember } from '../../contract/document/plain.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import type { Operation } from '../../contract/model.js';
import { readProperties, type Property } from '../../contract/operations/properties.js';
import { findBadSchema } from '../checks/expectations.js';
import { findUnusableKeyword, keywords, listKeywords } from '../checks/index.js';
import { kindOfBody } from '../checks/response.js';
import { findAsked } from '../ledger/shown-records.js';
import { isEscaped } from '../http/prepare-request.js';

export interface LoadedScenario {
  scenario: Scenario;
  locate: (at: string) => SourcePlace;
  isProven: boolean;
  columns: ReadonlySet<string>;
}

/** Finds what the schema of the file cannot: dangling names, values of no use. Throws a {@link PetstoreMockError}. */
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

function findBadBasis({ basis, gap }: Scenario, { document }: Contract): Mistake | undefined {
  if (basis === '') {
    const message = `\`basis\` is missing. It says where the rule stands: ${KINDS}.`;
    return gap === undefined ? { at: '', message } : undefined;
  }
  if (basis.startsWith('#')) {
    const pointer = basis.slice(1);
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
  if (RFC.test(basis) || (/^https?:\/\//i.test(basis) && URL.canParse(basis))) return undefined;
  return { at: '/basis', message: `the basis ${basis} does not exist; it must be ${KINDS}.` };
}

export interface Library {
  scenarios: readonly Scenario[];
  contract: Contract;
  values: ContractValues;
  gaps: readonly Gap[];
}

/** `lackingScope` needs to know which scope, and `second` is not there in most runs, so only the shipped scenarios have them. */
const NAMED_FORMS = Object.keys(AUTH_FORMS).filter((form) => form !== 'lackingScope' && form !== 'second');

export function findStepMistake(step: Step, scenario: Scenario, library: Library): Mistake | undefined {
  const { operations } = library.contract;
  const { operationId, auth } = step;
  const operation = operations.find(({ id }) => id === operationId);
  const ids = operations.map(({ id }) => id);
  if (operationId !== undefined && operation === undefined)
    return { at: '/operationId', message: `the contract has no operation ${operationId}${suggest(operationId, ids)}` };
  if (!NAMED_FORMS.includes(auth))
    return { at: '/auth', message: `${auth} is not a way to authenticate${suggest(auth, NAMED_FORMS)}` };
  return (
    (operation === undefined ? undefined : findBadParameter(step, operation)) ??
    findUnsendable(step) ??
    findBadBody(step) ??
    findBadEach(step) ??
    findBadReference(step, scenario, library) ??
    findBadRetry(step, scenario, operations) ??
    findBadExpectation('expect', step, library) ??
    findBadExpectation('assume', step, library) ??
    findBadOutcomes(step, scenario, library)
  );
}

function findBadParameter({ parameters: given, query }: Step, { id, parameters }: Operation): Mistake | undefined {
  const known = parameters.filter((each) => each.in === 'path' || each.in === 'query');
  for (const name of Object.keys(given)) {
    const at = `/parameters/${name}`;
    const parameter = known.find((each) => each.name === name);
    if (parameter?.in === 'query' && query !== undefined)
      return { at, message: `\`${name}\` would not be sent, since \`query\` is the whole query.` };
    if (parameter !== undefined) continue;
    if (parameters.some((each) => each.name.toLowerCase() === name.toLowerCase() && each.in === 'header'))
      return { at, message: `${name} is a header field of ${id}; put it under \`headers\`.` };
    const names = parameters.map((each) => each.name);
    const hint = `${suggest(name, names)} To send one that it does not have, use \`query\`.`;
    return { at, message: `the contract gives ${id} no parameter \`${name}\`${hint}` };
  }
  const missing = known.find((each) => each.in === 'path' && (given[each.name] ?? null) === null);
  if (missing === undefined) return undefined;
  return { at: '/parameters', message: `the path of ${id} needs the parameter \`${missing.name}\`.` };
}

function findUnsendable({ parameters }: Step): Mistake | undefined {
  const [name, value] =
    Object.entries(parameters).find(([, each]) => typeof each === 'object' && each !== null && !isEscaped(each)) ?? [];
  if (name === undefined) return undefined;
  return { at: `/parameters/${name}`, message: `\`${name}\` must be one value, but is ${show(value)}.` };
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
  if (isReference(base64) || /^(?:[\w+/-]{4})*(?:[\w+/-]{2,3}=?=?)?$/.test(base64)) return undefined;
  return { at: `${at}/base64`, message: 'these bytes are not valid base64.' };
}

function findBadEach({ each, atOnce, search }: Step): Mistake | undefined {
  if (atOnce !== undefined && (each !== undefined || search !== undefined)) {
    const message = 'a step with `atOnce` sends one request several times; it cannot have `each` or `search`.';
    return { at: '/atOnce', message };
  }
  if (each === undefined || Array.isArray(each.in) || isReference(each.in)) return undefined;
  return { at: '/each/in', message: `it must be a reference to a list, but is ${show(each.in)}.` };
}

function findBadRetry(step: Step, scenario: Scenario, operations: readonly Operation[]): Mistake | undefined {
  const { retryFrom, rounds } = step;
  if (retryFrom === undefined) {
    if (rounds === undefined) return undefined;
    return { at: '/rounds', message: '`rounds` says how often `retryFrom` repeats, and the step has none.' };
  }
  const at = '/retryFrom';
  const steps = scenario.steps.map(({ id }) => id);
  const from = steps.indexOf(retryFrom);
  if (from === -1 || from > steps.indexOf(step.id)) {
    const near = suggest(retryFrom, steps);
    return { at, message: `\`retryFrom\` names ${retryFrom}, which is neither this step nor an earlier one${near}` };
  }
  const repeated = scenario.steps.slice(from, steps.indexOf(step.id) + 1);
  const creating = repeated.find((each) => sendsPost(each, operations) && !isToBeRefused(each));
  if (creating === undefined) return undefined;
  return { at, message: `\`retryFrom\` would repeat ${creating.id}, which creates a record.` };
}

function findBadExpectation(part: 'expect' | 'assume', step: Step, library: Library): Mistake | undefined {
  const expectation = step[part];
  if (expectation === undefined) return undefined;
  const used = listKeywords(expectation);
  if (used.length === 0) {
    const known = Object.keys(keywords).join(', ');
    return { at: `/${part}`, message: `\`${part}\` checks nothing; it may have ${known}.` };
  }
  const kind = findKind(expectation, step, library);
  const unfit = used.find((name) => keywords[name].looksAt === 'body' && kind === 'none');
  if (unfit !== undefined) {
    const response = `the response of ${step.operationId ?? step.request?.method ?? ''}`;
    const hint = '`status` and `headers` can be looked at';
    return { at: `/${part}/${unfit}`, message: `\`${unfit}\` looks at a body, and ${response} has no body; ${hint}.` };
  }
  const misplaced = findBadRecords(expectation, step, library);
  if (misplaced !== undefined) return within(`/${part}`, misplaced);
  const unusable = findUnusableKeyword(expectation, createGiven(kind));
  if (unusable === undefined) return undefined;
  const { keyword, at, message } = unusable;
  return { at: `/${part}/${keyword}${at}`, message: `\`${part}.${keyword}${at.replaceAll('/', '.')}\`: ${message}` };
}

type BodyKind = ReturnType<typeof kindOfBody>;

function findKind({ status }: Expectation, step: Step, { contract }: Library): BodyKind {
  if (step.request?.method.toUpperCase() === 'HEAD') return 'none';
  const operation = contract.operations.find(({ id }) => id === step.operationId);
  const statuses = [status ?? step.expect?.status ?? '2XX'].flat();
  return operation === undefined || statuses.some(isReference) ? undefined : kindOfBody(contract, operation, statuses);
}

function createGiven(kind: BodyKind): Given {
  return { stage: 'file', isOpen: isReference, bodyKind: kind === 'list' || kind === 'object' ? kind : undefined };
}

function findBadRecords(expectation: Expectation, step: Step, { contract }: Library): Mistake | undefined {
  const asked = findAsked(contract, { operation: contract.operations.find(({ id }) => id === step.operationId) });
  for (const word of ['record', 'records'] as const) {
    if (expectation[word] === undefined) continue;
    const body = asked?.role.success.body;
    if (asked === undefined || body !== (word === 'record' ? 'record' : 'list'))
      return { at: `/${word}`, message: describeMisplaced(word, step, body) };
    const fields = readProperties(contract.document, asked.subject.resource.schemaPointer);
    const { record, records } = expectation;
    const likes = word === 'record' ? [record?.like] : (records?.has ?? []).map(({ like }) => like);
    const badValue = word === 'record' ? undefined : findBadValue(expectation, fields, contract);
    const mistake = badValue ?? findUnknownField(likes.filter(isRecord).flatMap(Object.keys), fields);
    if (mistake !== undefined) return within(`/${word}`, mistake);
  }
  return undefined;
}

function describeMisplaced(word: 'record' | 'records', { operationId, request }: Step, body: string | undefined) {
  const looks = `\`${word}\` looks at ${word === 'record' ? 'one record' : 'a list'}`;
  if (request !== undefined)
    return `${looks} of an operation, and ${request.method} ${request.path} names none; \`operationId\` does.`;
  const is = body === 'list' ? 'is a list' : `is no ${word === 'record' ? 'record' : 'list'}`;
  return `${looks}, and the response of ${operationId ?? ''} ${is}; \`equals\` and \`body\` look at either.`;
}

function findBadValue(
  { records }: Expectation,
  fields: readonly Property[],
  { validate }: Contract,
): Mistake | undefined {
  for (const [name, value] of Object.entries(records?.every ?? {})) {
    const at = `/every/${name}`;
    const field = fields.find((each) => each.name === name);
    if (field === undefined) return findUnknownField([name], fields, at);
    const [violation] = isReference(value) ? [] : validate.value(field.schemaPointer, value);
    if (violation === undefined) continue;
    const { expected } = violation;
    const near = findNearest(String(value), expected.match(/[\w-]+/g) ?? []);
    const hint = near === undefined ? '.' : `; did you mean ${near}?`;
    return { at, message: `no record can have ${show(value)} as \`${name}\`: it is ${expected}${hint}` };
  }
  return undefined;
}

function findUnknownField(names: readonly string[], fields: readonly Property[], at = ''): Mistake | undefined {
  const known = fields.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  return unknown === undefined
    ? undefined
    : { at, message: `a record has no \`${unknown}\`${suggest(unknown, known)}` };
}

function findBadOutcomes({ outcomes = [] }: Step, { gap }: Scenario, { gaps }: Library): Mistake | undefined {
  const known = gaps.find(({ id }) => id === gap);
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

const SENT_PARTS = new Set(['parameters', 'query', 'headers', 'requestBody', 'request', 'each']);

function findBadReference(step: Step, scenario: Scenario, library: Library): Mistake | undefined {
  const hasItems = step.each !== undefined || step.search !== undefined || step.pages !== undefined;
  for (const [part, value] of Object.entries(step)) {
    for (const { reference, at } of listPlaces(value, `/${part}`)) {
      if (SENT_PARTS.has(part) && /^\$(?:request|response)\b/.test(reference))
        return { at, message: `${reference} is only known after the response, but \`${part}\` is sent before.` };
      if (reference.startsWith('$each') && !hasItems)
        return { at, message: `${reference} is an item of the list in \`each\`, and the step has none.` };
      const message = findLeadingNowhere(reference, step, scenario, library);
      if (message !== undefined) return { at, message };
    }
  }
  return undefined;
}

function listPlaces(value: unknown, at: string): { reference: string; at: string }[] {
  if (typeof value !== 'object' || value === null) return listReferences(value).map((reference) => ({ reference, at }));
  return Object.entries(value).flatMap(([key, item]) => listPlaces(item, `${at}/${key}`));
}

function findLeadingNowhere(reference: string, step: Step, scenario: Scenario, library: Library): string | undefined {
  if (!REFERENCE.test(reference)) return `${reference} is not a known reference; to write a plain $, write $$.`;
  const [path = '', pointer = ''] = reference.slice(1).split(/#(.*)/s);
  const [root, ...rest] = path.split('.');
  if (root === 'case') {
    const name = rest[0] ?? '';
    const row = scenario.case;
    if (!Object.hasOwn(row, name)) return `the case has no \`${name}\`${suggest(name, Object.keys(row))}`;
    const isThere = fillCase(reference, row) !== reference || listReferences(row[name]).length > 0;
    return isThere ? undefined : `\`${name}\` of the case has nothing at #${pointer}.`;
  }
  if (root === 'steps') {
    const [name = '', part, output = ''] = rest;
    const steps = scenario.steps.map(({ id }) => id);
    if (!steps.slice(0, steps.indexOf(step.id)).includes(name))
      return `there is no earlier step ${name}${suggest(name, steps)}`;
    if (part !== 'outputs') return undefined;
    const outputs = Object.keys(scenario.steps.find(({ id }) => id === name)?.outputs ?? {});
    return outputs.includes(output) ? undefined : `step ${name} has no output ${output}${suggest(output, outputs)}`;
  }
  if (root === 'scenarios') return findInScenarios(reference, scenario, library);
  if (root !== 'contract' || library.contract.document.at(pointer) !== undefined) return undefined;
  return `the contract has nothing at #${pointer}.`;
}

function findInScenarios(reference: string, { dependsOn }: Scenario, { scenarios }: Library): string | undefined {
  const [, name = '', output = ''] = /^\$scenarios\.([\w/-]+)\.outputs\.([\w-]+)/.exec(reference) ?? [];
  if (!dependsOn.includes(name)) return `${reference} needs ${name} under \`dependsOn\`.`;
  const source = scenarios.find(({ id }) => id === name);
  if (source === undefined) return `${name} is a table, so it has no single output ${output}.`;
  const outputs = source.steps.flatMap((each) => Object.keys(each.outputs));
  if (outputs.includes(output) || source.leftOut !== undefined) return undefined;
  return `${name} has no output ${output}${suggest(output, outputs)}`;
}

type Selection = Record<'only' | 'skip', readonly string[]>;

/** The selected scenarios of `about`, and what they depend on. Throws a {@link PetstoreMockError} for a pattern or a selection without any. */
export function selectScenarios(all: readonly Scenario[], { only, skip }: Selection, about = new Set(all)): Scenario[] {
  const ids = all.map(({ id }) => id);
  const unknown = [...only, ...skip].find((pattern) => !ids.some((id) => matchesId(id, pattern)));
  if (unknown !== undefined)
    throw new PetstoreMockError(
      'empty-selection',
      `there is no scenario ${unknown}${suggestPattern(unknown, ids)} --list shows them all.`,
    );
  const wanted = all.filter(({ id }) => only.length === 0 || only.some((pattern) => matchesId(id, pattern)));
  const kept = wanted.filter((each) => about.has(each) && !skip.some((pattern) => matchesId(each.id, pattern)));
  if (kept.length === 0)
    throw new PetstoreMockError(
      'empty-selection',
      `no scenario is left to run; check --only and --skip${about.size < all.length ? ', --tag, --operation, --method and --path' : ''}.`,
    );
  const needed = withDependencies(kept, all);
  return all.filter((scenario) => needed.has(scenario.id));
}

export const nameTable = (id: string): string => id.replace(/\[.*\]$/, '');

export function suggestPattern(pattern: string, ids: readonly string[]): string {
  const meant = findMeant(pattern, ids);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  return `; every id begins with ${listFiles(ids).join('/ or ')}/.`;
}

function findMeant(pattern: string, ids: readonly string[]): string | undefined {
  const files = listFiles(ids);
  const names = [...new Set(ids.flatMap((id) => [id, nameTable(id)]))];
  if (pattern.includes('/')) {
    const { file, scenario } = splitId(pattern);
    const other = `${findNearest(file, files) ?? file}/${scenario}`;
    return ids.some((id) => matchesId(id, other)) ? other : findNearest(pattern, names);
  }
  if (files.some((file) => matchesId(file, pattern))) return `${pattern}/*`;
  const owner = ids.find((id) => matchesId(splitId(id).scenario, pattern));
  if (owner !== undefined) return `${splitId(owner).file}/${pattern}`;
  const near = findNearest(pattern, files);
  return near === undefined ? findNearest(pattern, names) : `${near}/*`;
}

const listFiles = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => splitId(id).file))];

function splitId(id: string): { file: string; scenario: string } {
  const at = id.indexOf('/');
  return { file: id.slice(0, at), scenario: id.slice(at + 1) };
}

export function withDependencies(scenarios: readonly Scenario[], all: readonly Scenario[]): Set<string> {
  const needed = new Set<string>();
  const byId = new Map(all.map((scenario) => [scenario.id, scenario]));
  const find = createFinder([...byId.keys()]);
  const add = (scenario: Scenario): void => {
    if (needed.has(scenario.id)) return;
    needed.add(scenario.id);
    for (const id of scenario.dependsOn.flatMap(find)) add(byId.get(id) ?? scenario);
  };
  scenarios.forEach(add);
  return needed;
}

export function createFinder(ids: readonly string[]): (pattern: string) => readonly string[] {
  const known = new Set(ids);
  const ofTable = groupBy(ids, nameTable);
  const begun = groupBy(ids, (id) => splitId(id).file);
  return remember((pattern) => {
    if (!pattern.includes('*')) return ofTable.get(pattern) ?? (known.has(pattern) ? [pattern] : []);
    const { file } = splitId(pattern);
    const candidates = file === '' || file.includes('*') ? ids : (begun.get(file) ?? []);
    return candidates.filter((id) => matchesId(id, pattern));
  });
}

export function listPredecessors(scenarios: readonly Scenario[]): Map<string, string[]> {
  const find = createFinder(scenarios.map(({ id }) => id));
  const listBefore = ({ id: own, dependsOn, after }: Scenario) =>
    [...dependsOn, ...after].flatMap((pattern) => find(pattern).filter((id) => id !== own));
  return new Map(scenarios.map((scenario) => [scenario.id, listBefore(scenario)]));
}

export function findCycle(scenarios: readonly Scenario[]): Scenario | undefined {
  const predecessors = listPredecessors(scenarios);
  const done = new Set<string>();
  for (let rest = [...scenarios]; rest.length > 0;) {
    const blocked = new Set(rest.filter(({ id }) => predecessors.get(id)?.some((each) => !done.has(each)) === true));
    if (blocked.size === rest.length) return rest[0];
    for (const scenario of rest) if (!blocked.has(scenario)) done.add(scenario.id);
    rest = [...blocked];
  }
  return undefined;
}

/** Whether an id matches a pattern: the id itself, a table without its case, or a glob. */
export function matchesId(id: string, pattern: string): boolean {
  if (id === pattern) return true;
  // As `nameTable` would say; asked for every pair of scenarios.
  const isCase = id.charAt(pattern.length) === '[' && id.endsWith(']') && id.startsWith(pattern);
  if (isCase && !pattern.includes('[')) return true;
  if (!pattern.includes('*')) return false;
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop() ?? '';
  if (!id.startsWith(first) || !id.endsWith(last) || id.length < first.length + last.length) return false;
  let at = first.length; // Each part at its first occurrence: no other leaves more room for the following parts.
  for (const part of parts) {
    const found = id.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= id.length - last.length;
}
