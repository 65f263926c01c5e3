import { groupBy, asList, asObject, remember } from '../../contract/document/plain.js';
import { leaveOutElsewhere, loadContract, type Contract } from '../../contract/contract.js';
import type { SecurityScheme, Operation } from '../../contract/model.js';
import { checkSchemeNames, readCredentialName } from '../../contract/security.js';
import { PetstoreMockError } from '../../errors.js';
import { packageFile } from '../../package-files.js';
import type { GivenCredentials, ConformanceOptions } from '../model/options.js';
import { describeLackingToken, lackScopes, readRunKeys, type RunKeys } from '../http/request-credentials.js';
import { checkParameterNames, describeLacking, readPairs, findLackingParameter } from '../http/prepare-request.js';
import type { GivenParameters } from '../http/prepare-request.js';
import { loadScenarios } from '../scenarios/load-scenarios.js';
import type { LackedScopes, WireRequest } from '../model/exchange.js';
import type { Scenario } from '../model/scenario.js';
import { createFinder, selectScenarios, withDependencies, matchesId } from '../scenarios/check-scenario.js';
import {
  bindSubjects,
  listFree,
  listLackingFree,
  chooseFree,
  showPlace,
  checkGivenRecords,
} from '../resources/instantiate-resources.js';
import { readSubjects, listAskedGaps, type Subject } from '../resources/resource-under-test.js';
import { listInvalid, MOST_INVALID } from '../resources/invalid-records.js';
import { listAllInvalidChanges, MOST_INVALID_CHANGES } from '../cases/changes.js';
import { isJsonMediaType, recordTypeOf } from '../../contract/media-types.js';
import { findContradiction } from '../../contract/schemas/dialect.js';
import { placeIn } from '../../contract/schemas/violation.js';
import { foreseeRequests, estimateRequests } from '../engine/run.js';
import type { Shard } from '../model/result.js';
import { suggest } from '../../suggest.js';
import { relative } from 'node:path';
import { readOnce, describeNotes } from '../../contract/document/document.js';
import { saysUnimplemented } from '../../contract/operations/said-in-words.js';
import { loadCorrections } from '../../contract/resources/candidates.js';
import { loadGivenRecords } from '../../contract/resources/resource.js';
import { createTranslator } from '../../contract/translate-pointer.js';
import { findUnmade } from '../../contract/samples/repair.js';

export type PlanOptions = Omit<ConformanceOptions, 'target' | 'apiKey'>;

/** What a run would do, without sending anything. Throws like `runConformance` for files and selections. */
export function planRun(options: PlanOptions) {
  const contract = addGivenSchemes(readGivenContract(options), options.credentials ?? {});
  checkSchemeNames(options.credentials ?? {}, contract);
  const keys = readRunKeys('', options.credentials ?? {});
  const asksSecond = ({ steps }: Scenario): boolean => steps.some(({ auth }) => auth === 'second');
  const known = readScenarios(contract, options).filter(
    (scenario) => options.credentialB !== undefined || !asksSecond(scenario),
  );
  const all = known.map((scenario) =>
    scenario.hasShippedBasis && scenario.basis.startsWith('#')
      ? Object.assign({}, scenario, { basis: `#${rebasePointer(scenario.basis.slice(1), contract, options)}` })
      : scenario,
  );
  const about = new Set(selectByOperations(all, contract, options));
  const selected = selectScenarios(all, { only: options.only ?? [], skip: options.skip ?? [] }, about);
  const forbidden = listForbidden(contract, options);
  const lacking = new Map([...findLacking(contract, options), ...forbidden]);
  const found = new Map<string, string>();
  for (const scenario of all) {
    const { id, leftOut, steps, isShipped } = scenario;
    const asked = steps.map(({ operationId = '' }) => (isShipped ? lacking : forbidden).get(operationId));
    const [scopes] = findLackedScopes(scenario, keys);
    const tokenless = scopes === undefined ? undefined : `it needs ${describeLackingToken(scopes)}`;
    const reason = leftOut ?? asked.find((each) => each !== undefined) ?? tokenless;
    if (reason !== undefined) found.set(id, reason);
  }
  const find = createFinder(all.map(({ id }) => id));
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const { id, dependsOn } of all) {
      const missing = dependsOn.find((pattern) => find(pattern).some((each) => found.has(each)));
      if (missing !== undefined && !found.has(id)) found.set(id, `it depends on ${missing}, which does not apply`);
    }
  }
  const applicable = selected.filter(({ id }) => !found.has(id));
  const isWorthwhile =
    applicable.length === selected.length ||
    applicable.some(({ isShipped, steps }) => !isShipped || steps.some(({ operationId }) => operationId !== undefined));
  if (!isWorthwhile)
    throw emptySelection(
      `there is nothing to test: no scenario that was selected applies to ${contract.document.file} (${describeUntested(contract, noteLacking(lacking))}). Scenarios of your own can test it: give them with --scenarios.`,
    );
  const scenarios = options.shard === undefined ? applicable : chooseShard(applicable, options.shard);
  const untriedScopes = all.flatMap((scenario) => findLackedScopes(scenario, keys));
  const [first] = untriedScopes;
  const scopes = [...new Set(untriedScopes.flatMap((each) => each.scopes))];
  const named = `${nameSome(scopes)} ${scopes.length === 1 ? 'is' : 'are'} needed`;
  const ofScopes =
    first === undefined ? [] : `not tested: whether ${named} (this needs ${describeLackingToken(first)})`;
  const notes = [noteUntested(contract), noteLeftOut(contract), noteLacking(lacking), ofScopes].flat();
  const unanswerable = new Map(listUnanswerable(contract));
  const reasons = readSubjects(contract).map(({ roles: { get, create } }) =>
    unanswerable.get((get ?? create)?.operation.id ?? ''),
  );
  const untested = reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
  return { contract, scenarios, ids: all.map(({ id }) => id), untriedScopes, notes, untested };
}

const emptySelection = (message: string): PetstoreMockError => new PetstoreMockError('empty-selection', message);

function nameSome(names: readonly string[], most = MOST_REASONS): string {
  return `${names.slice(0, most).join(', ')}${names.length > most ? ' and others' : ''}`;
}

function addGivenSchemes(contract: Contract, given: GivenCredentials): Contract {
  if (contract.securitySchemes.length > 0) return contract;
  const securitySchemes = Object.entries(given).map(([name, value]): SecurityScheme => {
    const { scheme } = readCredentialName(name);
    if (typeof value !== 'string') return { name: scheme, kind: 'bearer', at: 'Bearer' };
    // `Token 4f` is the whole field, and `user:password` a pair.
    if (/\s/.test(value.trim())) return { name: scheme, kind: 'header', at: 'Authorization' };
    const isPair = value.includes(':');
    return { name: scheme, kind: isPair ? 'basic' : 'bearer', at: isPair ? 'Basic' : 'Bearer' };
  });
  return securitySchemes.length === 0 ? contract : { ...contract, securitySchemes };
}

function noteUntested(contract: Contract): string[] {
  const { bindings, notes, found } = bindSubjects(contract);
  const isRead = contract.readOnly === true && bindings.length > 0;
  return [
    notes.length === 0 ? [] : `not tested: ${notes.join('; ')}`,
    found.length === 0 ? [] : `only read, since a run cannot create any: ${found.join('; ')}`,
    isRead ? 'only read: nothing is created, replaced, updated or removed (--read-only)' : [],
  ].flat();
}

function findLacking(contract: Contract, options: Pick<ConformanceOptions, 'parameter' | 'headers'>) {
  const { parameter = [], headers = {} } = options;
  const own = readPairs(parameter);
  const given = { ...headers, ...own };
  checkParameterNames(own, contract, listFree(contract));
  const stated = contract.operations.flatMap((operation) => {
    const lacking = describeLacking(operation, given, contract);
    return lacking === undefined ? [] : [[operation.id, lacking] as const];
  });
  const unimplemented = contract.operations
    .filter(({ pointer }) => saysUnimplemented(asObject(contract.document.at(pointer))))
    .map(({ id }) => [id, 'the contract says that it is not implemented'] as const);
  return new Map([...listLackingFree(contract, own), ...stated, ...listUnanswerable(contract), ...unimplemented]);
}

function findLackedScopes({ steps }: Scenario, keys: RunKeys): LackedScopes[] {
  return steps.flatMap(({ lacks }) => (lacks === undefined || lackScopes(keys, lacks) !== undefined ? [] : [lacks]));
}

function noteLacking(lacking: ReadonlyMap<string, string>): string[] {
  return [...new Set(lacking.values())].map((reason) => {
    const operations = [...lacking].filter(([, each]) => each === reason).map(([id]) => id);
    return `not tested: ${nameSome(operations)}: ${reason}`;
  });
}

const MOST_REASONS = 4;

function describeUntested(contract: Contract, lacking: readonly string[]): string {
  const notes = [...lacking.map((each) => each.replace(/^not tested: /, '')), ...bindSubjects(contract).notes];
  if (notes.length === 0)
    return 'they test collections of records, and none can be inferred from its paths and schemas; --resources can name them';
  const rest = notes.length - MOST_REASONS;
  return `${notes.slice(0, MOST_REASONS).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

const makeShipped = readOnce((contract: Contract) =>
  // Patterns, one in a line.
  remember((only: string) => loadScenarios([packageFile('scenarios')], contract, only.split('\n').filter(Boolean)), 8),
);

function readScenarios(contract: Contract, { scenarios: paths = [], only = [], skip = [], baseline }: PlanOptions) {
  if (paths.length > 0) return loadScenarios([packageFile('scenarios'), ...paths], contract);
  // Most of a start is making scenarios: where few are asked for, few are made. A pattern that names none is told among all.
  const few = skip.length === 0 && baseline === undefined ? makeShipped(contract)(only.join('\n')) : [];
  const isEach = few.length > 0 && only.every((pattern) => few.some(({ id }) => matchesId(id, pattern)));
  return isEach ? few : makeShipped(contract)('');
}

function noteLeftOut(contract: Contract): string[] {
  return bindSubjects(contract).bindings.flatMap((binding) => {
    const { create, update, replace } = binding.subject.roles;
    const counts = [
      { id: create?.operation.id, all: listInvalid(binding).length, most: MOST_INVALID },
      { id: update?.operation.id, all: listAllInvalidChanges('update', binding).length, most: MOST_INVALID_CHANGES },
      { id: replace?.operation.id, all: listAllInvalidChanges('replace', binding).length, most: MOST_INVALID_CHANGES },
    ];
    return counts
      .filter(({ id, all, most }) => id !== undefined && all > most)
      .map(({ id, all, most }) => `not tried: ${all - most} of the ${all} invalid bodies that could be made for ${id}`);
  });
}

export function listUnanswerable(contract: Contract): [string, string][] {
  return contract.operations.flatMap((operation): [string, string][] => {
    const successes = operation.responses.filter(({ status }) => status.startsWith('2'));
    const contradictions = successes.map(({ content }) => {
      const isAllJson = content.length > 0 && content.every(({ mediaType }) => isJsonMediaType(mediaType));
      const pointer = isAllJson ? content[0]?.schemaPointer : undefined;
      return pointer === undefined ? undefined : findContradiction(contract.document, pointer);
    });
    const [found] = contradictions;
    if (found === undefined || !contradictions.every((each) => each !== undefined)) return [];
    const place = placeIn(contract.document, found.pointer);
    const excluded = `its \`additionalProperties: false\` (${showPlace(place)}, #${place.pointer}) allows only the properties beside it`;
    return [[operation.id, `no response can be valid: \`${found.name}\` is required, but ${excluded}; list it there`]];
  });
}

/** All about a gap, and what a scenario builds on, stay in one shard. Throws for more shards than there is to share. */
export function chooseShard(scenarios: readonly Scenario[], { index, of }: Shard): Scenario[] {
  const gapOf = ({ id, gap }: Scenario): string => (gap === undefined ? `scenario ${id}` : `gap ${gap}`);
  const groups = [...groupBy(scenarios, gapOf).values()];
  if (groups.length < of)
    throw emptySelection(
      `--shard: the selected scenarios can be shared by at most ${groups.length} ${groups.length === 1 ? 'job' : 'jobs'}, not ${of}.`,
    );
  const shards = Array.from({ length: of }, () => new Set<Scenario>());
  groups.forEach((group, at) => {
    const ids = withDependencies(group, scenarios);
    const wanted = scenarios.filter(({ id }) => ids.has(id));
    const costs = shards.map((each) => foreseeRequests(new Set([...each, ...wanted])));
    const shard = shards[at < of ? at : costs.indexOf(Math.min(...costs))];
    for (const scenario of wanted) shard?.add(scenario);
  });
  const chosen = shards[index - 1];
  return scenarios.filter((scenario) => chosen?.has(scenario));
}

type OperationSelection = Pick<ConformanceOptions, 'tag' | 'operation' | 'method' | 'path' | 'deprecated' | 'never'>;

function selectByOperations(scenarios: readonly Scenario[], contract: Contract, selection: OperationSelection) {
  const { tag = [], operation: named = [], method = [], path = [] } = selection;
  const isSame = (name: string, value: string): boolean => name === value;
  const tagsOf: Test['names'] = ({ pointer }, { document }) =>
    asList(asObject(document.at(pointer))['tags']).map(String);
  const namesOf: Test['names'] = (each) => [each.id, `${each.method} ${each.path}`];
  const methods = method.map((each) => each.toUpperCase());
  const all: Test[] = [
    { option: 'tag', values: tag, names: tagsOf, equals: isSame },
    { option: 'operation', values: named, names: namesOf, equals: isSame },
    { option: 'method', values: methods, names: (each) => [each.method], equals: isSame },
    { option: 'path', values: path, names: (each) => [each.path], equals: matchesId },
  ];
  const tests = all.filter(({ values }) => values.length > 0);
  if (tests.length === 0) return scenarios;
  for (const test of tests) checkValues(test, contract);
  const isSelected = (operation: Operation): boolean =>
    tests.every(({ values, names, equals }) =>
      values.some((value) => names(operation, contract).some((name) => equals(name, value))),
    );
  const selected = contract.operations.filter(isSelected);
  const asked = tests.map(({ option, values }) => `of the ${option} ${values.join(' or ')}`);
  if (selected.length === 0) throw emptySelection(`no operation is ${asked.join(' and ')}.`);
  const ids = new Set(selected.map(({ id }) => id));
  return scenarios.filter(({ basis, steps }) => {
    const pointer = basis.replace(/^#/, '');
    const own = contract.operations.filter((each) => `${pointer}/`.startsWith(`${each.pointer}/`));
    const about = own.length > 0 ? own.map(({ id }) => id) : steps.map(({ operationId = '' }) => operationId);
    return about.some((id) => ids.has(id));
  });
}

interface Test {
  option: string;
  values: readonly string[];
  names: (operation: Operation, contract: Contract) => readonly string[];
  equals: (name: string, value: string) => boolean;
}

function checkValues({ option, values, names, equals }: Test, contract: Contract): void {
  const known = [...new Set(contract.operations.flatMap((each) => names(each, contract)))];
  const unknown = values.find((value) => !known.some((name) => equals(name, value)));
  if (unknown === undefined) return;
  const has = `The contract has ${known.length === 0 ? 'none' : nameSome(known, 8)}`;
  throw emptySelection(`no operation of the contract has the ${option} ${unknown}${suggest(unknown, known)} ${has}.`);
}

function listForbidden(contract: Contract, { never = [], deprecated }: OperationSelection): Map<string, string> {
  // A rule that forbids nothing is a slip, and a dangerous one.
  const idle = never.find((written) => !contract.operations.some(createForbidden([written])));
  const known = contract.operations.flatMap(({ id, method, path }) => [id, `${method} ${path}`]);
  if (idle !== undefined)
    throw emptySelection(
      `no operation is forbidden by --never '${idle}'${suggest(idle, known)} It takes a method, a path of the contract, both, or an operationId, such as 'DELETE /users'.`,
    );
  const isNever = createForbidden(never);
  const found = contract.operations.flatMap((operation): [string, string][] => {
    const { id, method, path } = operation;
    if (isNever(operation)) return [[id, `${method} ${path} is never to be sent (--never)`]];
    return deprecated === 'skip' && operation.deprecated ? [[id, 'it is deprecated (--deprecated skip)']] : [];
  });
  return new Map(found);
}

/** `DELETE /users`, `/users` for any method, `DELETE` for any path; `*` stands for anything. */
function createForbidden(never: readonly string[]): (operation: Pick<Operation, 'id' | 'method' | 'path'>) => boolean {
  const rules = never.map((written) => {
    const [, method = '*', path = '*'] = /^\s*([A-Za-z]+|\*)?\s*(\/\S*|\*)?\s*$/.exec(written) ?? [];
    return { written, method: method.toUpperCase(), path };
  });
  return ({ id, method, path }) =>
    rules.some(({ written, ...rule }) => {
      const isOfBoth = matchesId(method, rule.method) && matchesId(path, rule.path);
      return written === id || (/[/*]|^[A-Z]+$/.test(written) && isOfBoth);
    });
}

export function createGuard(contract: Contract, { never = [] }: OperationSelection, basePath: string) {
  if (never.length === 0) return () => false;
  const isNever = createForbidden(never);
  return ({ method, target }: Pick<WireRequest, 'method' | 'target'>): boolean => {
    const [whole = ''] = target.split('?', 1);
    const path = whole.startsWith(basePath) ? whole.slice(basePath.length) : whole;
    const match = contract.match(method, path);
    if (match.kind === 'operation') return isNever(match.operation);
    const known = match.kind === 'unknown-path' ? undefined : match.operations[0]?.path;
    return isNever({ id: '', method, path: known ?? path });
  };
}

const shipped = new Map<string, Contract>();

export function rebasePointer(pointer: string, contract: Contract, { spec }: Pick<ConformanceOptions, 'spec'>): string {
  return spec === undefined ? pointer : translatorTo(contract)(pointer);
}

const translatorTo = readOnce((contract: Contract) => createTranslator(readContract({}), contract));

type Allowed = Extract<keyof ConformanceOptions, `allow${string}`>;
type ReadOptions = Pick<ConformanceOptions, 'spec' | 'resources' | 'records' | 'readOnly' | Allowed>;

export function readGivenContract(options: ReadOptions): Contract {
  const read = readContract(options);
  const contract = options.readOnly === true ? { ...read, readOnly: true } : read;
  if (options.records === undefined) return contract;
  const whole = { ...contract, givenRecords: loadGivenRecords(options.records) };
  checkGivenRecords(whole);
  return whole;
}

function readContract(options: ReadOptions): Contract {
  const { spec, allowOutsideRefs = false, allowRemoteRefs = false, allowPrivateHosts = false, resources } = options;
  const corrections = resources === undefined ? undefined : loadCorrections(resources);
  if (spec !== undefined)
    return leaveOutElsewhere(loadContract(spec, { allowOutsideRefs, allowRemoteRefs, allowPrivateHosts, corrections }));
  const file = packageFile('spec/petstore.openapi.yaml');
  const fromHere = relative('', file);
  const shownAs = fromHere.startsWith('..') ? file : fromHere;
  const known = shipped.get(shownAs);
  if (known !== undefined) return known;
  const contract = loadContract(file, { shownAs, trusted: true });
  shipped.set(shownAs, contract);
  return contract;
}

export type DryRun = ReturnType<typeof readDryRun>;
export type TestedResource = DryRun['tested'][number];

/** Throws a `PetstoreMockError` for a contract that cannot be read, or of which nothing can be tested. */
export function readDryRun(options: PlanOptions) {
  const { contract, scenarios, untriedScopes } = planRun(options);
  contract.validate.compileAll();
  const { bindings, notes } = bindSubjects(contract);
  const bound = new Set(bindings.map(({ subject }) => subject.name));
  const tested = readSubjects(contract).filter(({ name }) => bound.has(name));
  return {
    contract,
    scenarios: scenarios.length,
    requests: estimateRequests(scenarios),
    resources: readSubjects(contract).length,
    tested: tested.map(({ name, resource, roles, fields }) => {
      const own = scenarios.filter(({ id }) => id.startsWith(`${name}/`));
      return {
        name,
        path: resource.collectionPath,
        roles: Object.keys(roles),
        fields: fields.map((field) => field.name),
        scenarios: own.length,
        requests: estimateRequests(own),
      };
    }),
    untested: [
      ...notes.map((note) => {
        const at = note.indexOf(': ');
        const [path, why] = [note.slice(0, at), note.slice(at + 2)];
        const toCreate =
          'an `example` of the request in the contract, or a record in a file (`records:` in the config file)';
        if (/could be made/.test(why)) return { path, why, help: toCreate };
        if (/no create/.test(why))
          return { path, why, help: 'scenarios of your own (`scenarios:` in the config file)' };
        return { path, why, help: 'a file of corrections (`resources:` in the config file)' };
      }),
      ...untriedScopes.slice(0, 1).map((first) => {
        const scopes = [...new Set(untriedScopes.flatMap((each) => each.scopes))];
        const help = `a token without ${first.scopes.join(' and ')} (\`credentials: { '${first.scheme}[<its scopes>]': { env: ... } }\` in the config file)`;
        const why = `nothing tests whether ${scopes.join(', ')} ${scopes.length === 1 ? 'is' : 'are'} required`;
        return { path: 'scopes', why, help };
      }),
      ...listLoose(contract, tested, readPairs(options.parameter ?? [])),
    ],
    unmade: contract.operations.flatMap((operation) => findUnmade(contract, operation)),
    gaps: listAskedGaps(contract, options.credentialB !== undefined).length,
    notes: describeNotes(contract.listNotes(), 20),
  };
}

function listLoose(contract: Contract, tested: readonly Subject[], given: GivenParameters) {
  const asked = new Set(tested.flatMap(({ roles }) => Object.values(roles).map(({ operation }) => operation.id)));
  const paths = new Set(tested.map(({ resource }) => resource.collectionPath));
  const free = listFree(contract);
  const known = chooseFree(contract, given);
  return contract.operations.flatMap((operation) => {
    const { method, path, id, parameters } = operation;
    const inPath = free.find((each) => each.operation.id === id && !Object.hasOwn(known, each.name))?.parameter;
    const lacking = inPath ?? findLackingParameter(operation, given, contract);
    if (asked.has(id) && lacking === undefined) return [];
    const needed = lacking ?? parameters.find(({ required, in: place }) => required && place !== 'path');
    const isOfTested = [...paths].some((own) => path === own || path.startsWith(`${own}/`));
    const body = operation.requestBody?.content[0]?.mediaType;
    let why = 'it belongs to no resource that can be listed and created';
    if (isOfTested) why = 'it does not list, create, get, replace, update or remove records';
    if (body !== undefined && recordTypeOf(operation) === undefined)
      why = `it takes ${body}, and only JSON and form bodies are tested`;
    if (needed !== undefined) why = `it needs the ${needed.in} parameter ${needed.name}`;
    const help = asked.has(id)
      ? `a value (\`parameter: ['${needed?.name ?? ''}=...']\` in the config file)`
      : 'a file of corrections (`resources:`), or scenarios of your own';
    return [{ path: `${method} ${path}`, why, help }];
  });
}
