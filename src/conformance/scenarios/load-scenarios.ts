// Reads scenario files: a user's own, those of one contract, and the shipped ones that speak of roles.
import { TABLES } from '../cases/tables.js';
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { checkAgainstSchema, compileFileSchema } from '../../contract/check-against-schema.js';
import type { Contract } from '../../contract/contract.js';
import { readDocument, type SourceDocument } from '../../contract/document/document.js';
import { printJson, shorten } from '../../contract/document/json.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { limitOf } from '../../contract/gaps/gaps-of-contract.js';
import type { Operation } from '../../contract/model.js';
import { readProperties } from '../../contract/operations/properties.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { asksForCredentials } from '../../contract/security.js';
import { PetstoreMockError, type SourcePlace } from '../../errors.js';
import { listPackageFolder, packageFile } from '../../package-files.js';
import { findAsked } from '../ledger/shown-records.js';
import { MOST_RESOURCES } from '../model/scenario.js';
import type { Assumption, Expectation, RawScenario, RawStep, RoleFile } from '../model/scenario.js';
import type { Row, Scenario, Step } from '../model/scenario.js';
import { bindScenario } from '../resources/instantiate-scenario.js';
import { bindSubjects } from '../resources/instantiate-resources.js';
import type { Binding } from '../resources/instance.js';
import { bindPages } from '../resources/paging.js';
import { readGapsOf, recordAt, type Subject } from '../resources/resource-under-test.js';
import { fillFromContract, NotInContract, readContractValues, escape, fillCase } from '../http/template.js';
import type { ContractValues } from '../http/template.js';
import { findNoUse } from '../http/request-credentials.js';
import { checkScenario, checkTogether, matchesId, type LoadedScenario } from './check-scenario.js';

const ROLE_FOLDER = 'scenarios';
const CONTRACT_FOLDER = 'scenarios/contracts';

/**
 * Reads scenario files, fills in the contract's values and expands their tables. A path may be a file or a
 * folder of `*.yaml`. With patterns of ids, of the shipped ones those alone that a pattern may name, and what any scenario
 * builds on. Throws a {@link PetstoreMockError} with file, line and column for a mistake.
 */
export function loadScenarios(paths: readonly string[], contract: Contract, only: readonly string[] = []): Scenario[] {
  const isShipped = (path: string): boolean => resolve(path) === packageFile(ROLE_FOLDER);
  const files = paths.flatMap((path) => listFiles(isShipped(path) ? packageFile(CONTRACT_FOLDER) : path));
  const values = readContractValues(contract);
  const gaps = readGapsOf(contract).known;
  const found = [
    ...files.flatMap((path) => loadFile(path, { contract, values, gaps })),
    ...(paths.some(isShipped) ? loadRoleScenarios(contract, only) : []),
  ];
  const observes = ({ scenario }: LoadedScenario): number => (scenario.gap === undefined ? 0 : 1);
  const loaded = found.toSorted((one, other) => observes(one) - observes(other));
  const scenarios = loaded.map(({ scenario }) => scenario);
  for (const each of loaded) if (!each.isProven) checkScenario(each, { scenarios, contract, values, gaps });
  checkTogether(scenarios);
  return scenarios;
}

function listFiles(path: string): string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const files = readdirSync(path).filter((name) => /\.ya?ml$/.test(name));
  if (files.length === 0)
    throw new PetstoreMockError('unusable-scenario', `the folder ${path} has no scenario files (*.yaml).`);
  return files.sort().map((name) => join(path, name));
}

type Loading = { contract: Contract; values: ContractValues; gaps: readonly Gap[] };

function loadFile(path: string, loading: Loading): LoadedScenario[] {
  const isShipped = dirname(resolve(path)) === packageFile(CONTRACT_FOLDER);
  const shownAs = isShipped ? `${CONTRACT_FOLDER}/${basename(path)}` : path;
  const document = readDocument(path, { code: 'unusable-scenario', kind: 'scenarios', shownAs });
  const isProven = document.isPrecompiled === true; // What ships was checked when the package was built.
  if (!isProven) checkAgainstSchema(document, compileFileSchema('scenarios/scenario.schema.json'), 'unusable-scenario');
  const { parameters = {}, ...defaults } = (document.at('/defaults') ?? {}) as Defaults;
  const prefix = basename(path).replace(/\.ya?ml$/, '');
  return (document.at('/scenarios') as RawScenario[]).flatMap((stated, index) => {
    const steps = stated.steps.map((step) => {
      const { operationId = '', query } = step;
      const given = Object.hasOwn(parameters, operationId) ? parameters[operationId] : undefined;
      if (given === undefined || query !== undefined) return step;
      const all = Object.entries({ ...given, ...step.parameters }).filter(([, value]) => value !== null);
      return Object.assign({}, step, { parameters: Object.fromEntries(all) });
    });
    const raw = { ...defaults, ...stated, steps };
    const pointer = `/scenarios/${index}`;
    const place: Placing = { document, pointer, prefix, isShipped, isProven, gaps: loading.gaps };
    return isShipped ? expandShipped(raw, place, loading) : expandOwn(raw, place, loading);
  });
}

interface Defaults extends Pick<RawScenario, 'after' | 'dependsOn'> {
  /** By operation, then by name. A step leaves one out with `null`, and all of them with a `query` of its own. */
  parameters?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function expandShipped(raw: RawScenario, placing: Placing, loading: Loading): LoadedScenario[] {
  const { contract } = loading;
  const steps = raw.steps.map((step) => ({ ...step, requires: step.requires ?? requirementOf(step) }));
  const required = { ...raw, steps };
  const leaveOut = (leftOut: string): LoadedScenario[] => {
    const { cases, ...rest } = required;
    return expand(Array.isArray(cases) ? { ...rest, cases } : rest, { ...placing, leftOut });
  };
  const missing = findMissing(required, contract.operations);
  if (missing !== undefined) return leaveOut(`the contract has no ${missing}`);
  try {
    const filled = fillAll(completeBodies(required, contract), loading);
    return expand(filled, placing).map((each) => leaveOutInapplicable(each, contract));
  } catch (error) {
    if (!(error instanceof NotInContract)) throw error;
    return leaveOut(error.message);
  }
}

function fillAll(raw: RawScenario, { values, contract }: Loading): RawScenario {
  const filled = fillFromContract(raw, values);
  return { ...filled, steps: filled.steps.map((step) => placeRecords(step, contract)) };
}

function expandOwn(raw: RawScenario, placing: Placing, loading: Loading): LoadedScenario[] {
  try {
    return expand(fillAll(raw, loading), placing);
  } catch (error) {
    if (!(error instanceof NotInContract)) throw error;
    const place = placing.document.placeOf(placing.pointer);
    throw new PetstoreMockError('unusable-scenario', `${placing.prefix}/${raw.id}: ${error.message}.`, place);
  }
}

function completeBodies(raw: RawScenario, { operations, document }: Contract): RawScenario {
  const steps = raw.steps.map((step): RawStep => {
    const schema = operations.find(({ id }) => id === step.operationId)?.requestBody?.content[0]?.schemaPointer;
    const { json } = step.requestBody ?? {};
    if (schema === undefined || typeof json !== 'object' || json === null) return step;
    const lacking = readProperties(document, schema)
      .filter(({ name, required }) => required && !Object.hasOwn(json, name))
      .map(({ name, schemaPointer }) => [name, sampleValue(document, schemaPointer)]);
    const requestBody = { ...step.requestBody, json: { ...json, ...Object.fromEntries(lacking) } };
    return Object.assign({}, step, { requestBody });
  });
  return { ...raw, steps };
}

function findMissing({ steps }: RawScenario, operations: readonly Operation[]): string | undefined {
  for (const { operationId, parameters = {} } of steps) {
    if (operationId === undefined) continue;
    const operation = operations.find(({ id }) => id === operationId);
    if (operation === undefined) return `operation ${operationId}`;
    const known = new Set(operation.parameters.map(({ name }) => name));
    const names = Object.keys(parameters).filter((name) => parameters[name] !== '$limit.largestPage');
    const unknown = names.find((name) => !known.has(name));
    if (unknown !== undefined) return `parameter ${unknown} of ${operationId}`;
  }
  return undefined;
}

function requirementOf({ auth = 'valid', expect, requestBody }: RawStep): Step['requires'] {
  if (auth !== 'valid' || expect?.status === undefined) return undefined;
  const statuses = [expect.status].flat().map(String);
  if (statuses.every((status) => status.startsWith('2'))) return 'valid';
  return statuses.every((status) => status === '400') && requestBody !== undefined ? 'invalid' : undefined;
}

export function loadRoleScenarios(contract: Contract, only: readonly string[] = []): LoadedScenario[] {
  const asked = new Map<string, number>();
  const bases = readRoleFiles().flatMap((document) =>
    (document.root as RoleFile).scenarios.flatMap(({ dependsOn = [] }) =>
      dependsOn.map((id) => (id.includes('/') ? id : `${basename(document.file, '.yaml')}/${id}`)),
    ),
  );
  const isAsked = (name: string): boolean =>
    only.length === 0 ||
    only.some((pattern) => mayMatch(name, pattern)) ||
    bases.includes(name.slice(name.indexOf('/') + 1));
  return bindSubjects(contract).bindings.flatMap((binding) => {
    const found = readRoleFiles().flatMap((document) => bindFile(document, binding, { contract, asked, isAsked }));
    const used = keepUsed(found, binding);
    for (const name of used.map(({ scenario }) => nameForAll(scenario))) asked.set(name, (asked.get(name) ?? 0) + 1);
    return used;
  });
}

/** Whether a pattern may name a row of a table. */
function mayMatch(table: string, pattern: string): boolean {
  const [start = ''] = pattern.split(/[*[]/);
  return start.startsWith(table) || table.startsWith(start);
}

export function bindAgain(binding: Binding, only?: string): Map<string, Scenario> {
  const isAsked = (name: string): boolean => only === undefined || name === only;
  const loading = { contract: binding.contract, asked: new Map<string, number>(), isAsked };
  const loaded = readRoleFiles().flatMap((document) => bindFile(document, binding, loading));
  return new Map(loaded.map(({ scenario }) => [scenario.id, scenario]));
}

let roleFiles: readonly SourceDocument[] | undefined;

function readRoleFiles(): readonly SourceDocument[] {
  roleFiles ??= listPackageFolder(ROLE_FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => {
      const shownAs = `${ROLE_FOLDER}/${name}`;
      return readDocument(packageFile(shownAs), { code: 'unusable-scenario', kind: 'scenarios', shownAs });
    });
  return roleFiles;
}

type RoleLoading = { contract: Contract; asked: ReadonlyMap<string, number>; isAsked: (name: string) => boolean };

function bindFile(document: SourceDocument, binding: Binding, { contract, asked, isAsked }: RoleLoading) {
  const { defaults, scenarios } = document.root as RoleFile;
  const file = basename(document.file, '.yaml');
  const prefix = `${binding.subject.name}/${file}`;
  return scenarios.flatMap((raw, index) => {
    if (!isAsked(`${prefix}/${raw.id}`)) return [];
    const pointer = `/scenarios/${index}`;
    const placing: Placing = { document, pointer, prefix, isShipped: true, isProven: true, gaps: [] };
    return bindScenario({ ...defaults, ...raw }, file, binding, TABLES)
      .flatMap((bound) => expand(bound, placing))
      .map((loaded) => leaveOutInapplicable(loaded, contract))
      .filter(({ scenario }) => scenario.leftOut === undefined)
      .filter(
        ({ scenario }) =>
          raw.once !== true ||
          (asked.get(nameForAll(scenario)) ?? 0) <
            (scenario.gap === undefined && file !== 'service' && raw.basis !== 'other' ? MOST_RESOURCES : 1),
      )
      .map((loaded) => Object.assign(loaded, { scenario: { ...loaded.scenario, hasShippedBasis: false } }));
  });
}

const nameForAll = ({ id, gap }: Scenario): string => gap ?? id.slice(id.indexOf('/') + 1);

function keepUsed(loaded: readonly LoadedScenario[], { subject }: Binding): LoadedScenario[] {
  const own = `${subject.name}/`;
  let used = [...loaded];
  for (let count = -1; count !== used.length;) {
    count = used.length;
    const list = used;
    used = list.filter(({ scenario: { dependsOn } }) =>
      dependsOn.every(
        (pattern) => !pattern.startsWith(own) || list.some(({ scenario }) => matchesId(scenario.id, pattern)),
      ),
    );
  }
  const ids = used.map(({ scenario }) => scenario.id);
  const isThere = (pattern: string): boolean =>
    pattern.startsWith('*/') ||
    ids.some((id) => id === pattern || (pattern.endsWith('*') && id.startsWith(pattern.slice(0, -1))));
  return used.map(({ scenario, ...rest }) =>
    Object.assign(rest, { scenario: { ...scenario, after: scenario.after.filter(isThere) } }),
  );
}

interface Placing {
  document: SourceDocument;
  pointer: string;
  prefix: string;
  isShipped: boolean;
  isProven: boolean;
  gaps: readonly Gap[];
  leftOut?: string | undefined;
}

function expand(raw: RawScenario, placing: Placing): LoadedScenario[] {
  const { cases, title, steps } = raw;
  const { document, pointer, isProven } = placing;
  const rows = Array.isArray(cases)
    ? cases
    : (cases?.each as unknown[] | undefined)?.map((value): Row => ({ id: String(value) }));
  const used = isProven ? [] : printJson([title, steps]).matchAll(/\$case\.([\w-]+)/g);
  const columns = new Set(Array.from(used, ([, name = '']) => name));
  return (rows ?? [undefined]).map((row, index) => {
    const place = document.placeOf(row === undefined ? pointer : `${pointer}/cases/${index}`);
    const locate = (at: string): SourcePlace => (at === '' ? place : document.placeOf(pointer + at));
    return { scenario: readScenario(raw, row, { ...placing, place }), locate, isProven, columns };
  });
}

function readScenario(raw: RawScenario, row: Row | undefined, placing: Placing & Pick<Scenario, 'place'>): Scenario {
  const { prefix, place, leftOut, isShipped, gaps } = placing;
  const { cases: _cases, dependsOn = [], after = [], fresh = false, alone = false, ...rest } = raw;
  const own = { dependsOn, after, fresh, alone, place, isShipped, leftOut };
  return {
    ...rest,
    ...own,
    id: `${prefix}/${raw.id}${row === undefined ? '' : `[${row.id}]`}`,
    title: raw.title.replace(/\{\$case\.([\w-]+)\}/g, (_, name: string) => {
      const value = row?.[name];
      return typeof value === 'string' ? value : shorten(value);
    }),
    basis: raw.basis ?? gaps.find(({ id }) => id === raw.gap)?.contract ?? '',
    tier: raw.tier ?? (raw.gap === undefined ? 2 : 3),
    case: row ?? {},
    steps: raw.steps.map((step) => readStep(step, row)),
    hasShippedBasis: isShipped || raw.basis === undefined,
  };
}

function readStep(raw: RawStep, row: Row | undefined): Step {
  const { control = false, isAtNewKey = false, guessed = [], parameters = {}, headers = {}, outputs = {} } = raw;
  const auth = (raw.auth as string) === '$case.auth' ? (row?.['auth'] as Step['auth']) : raw.auth;
  const own = { auth: auth ?? 'valid', control, isAtNewKey, guessed, parameters, headers, outputs };
  return {
    ...raw,
    ...own,
    each: raw.each === undefined ? undefined : { ...raw.each, atMost: raw.each.atMost ?? 100 },
    search: raw.search === undefined ? undefined : { ...raw.search, atMost: raw.search.atMost ?? 12 },
    expect: fillCase(raw.expect, row ?? {}) as Expectation | undefined,
    assume: fillCase(raw.assume, row ?? {}) as Assumption | undefined,
  };
}

function placeRecords(step: RawStep, contract: Contract): RawStep {
  const { expect, assume } = step;
  const asked = findAsked(contract, { operation: contract.operations.find(({ id }) => id === step.operationId) });
  const at = asked === undefined ? undefined : recordAt(asked.role);
  if (asked === undefined || at === undefined) return step;
  const { resource, fields, name: resourceName } = asked.subject;
  const names = readProperties(contract.document, resource.schemaPointer).map(({ name }) => name);
  const shown = fields.filter(({ isShown, name }) => isShown && names.includes(name)).map(({ name }) => name);
  const { property: keyProperty, kind: keyKind } = resource.key;
  const place = escape({ at, keyProperty, keyKind, resource: resourceName, fields: shown });
  const page = asked.role.role === 'list' ? readPageOf(step, asked.subject, contract) : {};
  const placeIn = <Given extends Expectation>({ record, records, ...rest }: Given): Given =>
    ({
      ...rest,
      ...(record === undefined ? {} : { record: { ...place, ...record } }),
      ...(records === undefined ? {} : { records: { ...place, ...page, ...records } }),
    }) as Given;
  return { ...step, expect: expect && placeIn(expect), assume: assume && placeIn(assume) };
}

function readPageOf({ parameters = {}, query }: RawStep, subject: Subject, contract: Contract): { page?: unknown } {
  const { walk } = bindPages(subject, { first: true }, contract);
  if (query !== undefined || (walk.parameter !== undefined && Object.hasOwn(parameters, walk.parameter))) return {};
  const limit = limitOf(subject.roles);
  const length = limit === undefined ? undefined : (parameters[limit.name] ?? limit.schema['default']);
  const { length: _length, ...rest } = walk;
  const known = typeof length === 'number' ? { length } : {};
  return { page: escape({ turn: null, before: [], isLast: true, walk: { ...rest, ...known } }) };
}

function leaveOutInapplicable(loaded: LoadedScenario, contract: Contract): LoadedScenario {
  const leaveOut = (leftOut: string): LoadedScenario => ({ ...loaded, scenario: { ...loaded.scenario, leftOut } });
  for (const { operationId, auth, request } of loaded.scenario.steps) {
    const path = operationId === undefined ? request?.path : undefined;
    if (path !== undefined && !path.startsWith('/no-such-') && contract.match('GET', path).kind === 'unknown-path')
      return leaveOut(`the contract has no path ${path}`);
    const operation = contract.operations.find(({ id }) => id === operationId);
    const { security } = operation ?? contract;
    const secured = operation?.secured ?? asksForCredentials(security);
    const noUse = findNoUse(auth, security, secured);
    if (noUse !== undefined) return leaveOut(`${operationId ?? 'the contract'} ${noUse}`);
  }
  return loaded;
}
