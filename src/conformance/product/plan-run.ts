import { groupBy } from '../../contract/document/plain.js';
import type { Contract } from '../../contract/contract.js';
import type { SecurityScheme, Operation } from '../../contract/model.js';
import { checkSchemeNames, readCredentialName } from '../../contract/security.js';
import { PetstoreMockError } from '../../errors.js';
import { packageFile } from '../../package-files.js';
import type { GivenCredentials } from '../model/credential-source.js';
import type { ConformanceOptions } from '../model/options.js';
import { describeLackingToken, lackScopes, readRunKeys } from '../wire/request/choose-keys.js';
import { checkParameterNames, describeLacking, listNeeded, readPairs } from '../wire/request/needed-parameters.js';
import { readGivenContract, rebasePointer } from './read-contract.js';
import type { RunKeys } from '../wire/request/present-key.js';
import { loadScenarios } from '../language/load-scenarios.js';
import type { LackedScopes, Scenario } from '../model/scenario.js';
import { createFinder, selectScenarios, withDependencies } from '../language/select-scenarios.js';
import { listForbidden, selectByOperations, type OperationSelection } from './select-operations.js';
import { bindSubjects } from '../subjects/bind-subjects.js';
import { listFree, listLackingFree } from '../subjects/free-parameters.js';
import { readSubjects } from '../subjects/subject.js';
import { listInvalid, MOST_INVALID } from '../subjects/records/invalid-records.js';
import { listAllInvalidChanges, MOST_INVALID_CHANGES } from '../subjects/tables/changes.js';
import { isJsonMediaType } from '../../contract/media-types.js';
import { findContradiction, type Contradiction } from '../../contract/schemas/keywords.js';
import { placeIn } from '../../contract/schemas/violation.js';
import { showPlace } from '../subjects/records/given-records.js';
import { foreseeRequests } from '../run/order/estimate-requests.js';
import type { Shard } from '../model/shard.js';

/** Why something is not asked, by its id. */
type Reasons = ReadonlyMap<string, string>;

type PlanOptions = Pick<
  ConformanceOptions,
  | 'spec'
  | 'resources'
  | 'records'
  | 'scenarios'
  | 'only'
  | 'skip'
  | 'readOnly'
  | 'shard'
  | 'credentials'
  | 'parameter'
  | 'headers'
> &
  OperationSelection;

/** What a run would do, without sending anything. Throws like `runConformance` for files and selections. */
export function planRun(options: PlanOptions): {
  contract: Contract;
  scenarios: Scenario[];
  /** The ids of all scenarios, selected or not. */
  ids: string[];
  /** The scopes of which no token of the run tells whether they are needed. */
  untriedScopes: LackedScopes[];
  /** What the run does not ask, and why. */
  notes: string[];
  /** Why no resource is tested, if the contract has some. */
  untested: string | undefined;
} {
  const contract = addGivenSchemes(readGivenContract(options), options.credentials ?? {});
  checkSchemeNames(options.credentials ?? {}, contract);
  const keys = readRunKeys('', options.credentials ?? {});
  const all = rebase(readScenarios(contract, options), contract, options);
  const about = new Set(selectByOperations(all, contract, options));
  const selected = selectScenarios(all, { only: options.only ?? [], skip: options.skip ?? [] }, about);
  const forbidden = listForbidden(contract, options);
  const lacking = new Map([...findLacking(contract, options), ...forbidden]);
  const inapplicable = findInapplicable(selected, all, { lacking, forbidden, keys });
  const applicable = selected.filter(({ id }) => !inapplicable.has(id));
  const isWorthwhile = inapplicable.size === 0 || applicable.some(asksAnOperation);
  if (!isWorthwhile) throw describeNothing(contract, noteLacking(lacking));
  const scenarios = options.shard === undefined ? applicable : chooseShard(applicable, options.shard);
  const untriedScopes = all.flatMap((scenario) => findLackedScopes(scenario, keys));
  const notes = [
    ...noteUntested(contract),
    ...noteLeftOut(contract),
    ...noteLacking(lacking),
    ...noteScopes(untriedScopes),
  ];
  return { contract, scenarios, ids: all.map(({ id }) => id), untriedScopes, notes, untested: findUntested(contract) };
}

/** A document without any security scheme has those for which credentials are given, so that they are sent. */
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

/** The reason, if the records of no resource can be what the contract says. */
function findUntested(contract: Contract): string | undefined {
  const subjects = readSubjects(contract);
  const reasons = new Map(listUnanswerable(contract));
  const own = subjects.map(({ roles }) => reasons.get((roles.get ?? roles.create)?.operation.id ?? ''));
  return own.every((reason) => reason !== undefined) ? own[0] : undefined;
}

/** The scenarios that mean nothing under the contract, and those that build on them, with the reason. */
function findInapplicable(
  selected: readonly Scenario[],
  all: readonly Scenario[],
  { lacking, forbidden, keys }: { lacking: Reasons; forbidden: Reasons; keys: RunKeys },
): Map<string, string> {
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
  for (let known = -1; known < found.size;) {
    known = found.size;
    for (const { id, dependsOn } of all) {
      const missing = dependsOn.find((pattern) => find(pattern).some((each) => found.has(each)));
      if (missing !== undefined && !found.has(id)) found.set(id, `it depends on ${missing}, which does not apply`);
    }
  }
  return new Map([...found].filter(([id]) => selected.some((scenario) => scenario.id === id)));
}

/** Whether a scenario says anything of an operation. To ask for a path that is nowhere is not worth a run. */
function asksAnOperation({ isShipped, steps }: Scenario): boolean {
  return !isShipped || steps.some(({ operationId }) => operationId !== undefined);
}

/** The resources that no scenario tests, and those of which it tests what is there. */
function noteUntested(contract: Contract): string[] {
  const { bindings, notes, found } = bindSubjects(contract);
  return [
    ...(notes.length === 0 ? [] : [`not tested: ${notes.join('; ')}`]),
    ...(found.length === 0 ? [] : [`only read, since a run cannot create any: ${found.join('; ')}`]),
    ...(contract.readOnly === true && bindings.length > 0
      ? ['only read: nothing is created, replaced, updated or removed (--read-only)']
      : []),
  ];
}

/** The operations that a run cannot ask, by their id, and what would help. */
function findLacking(contract: Contract, { parameter = [], headers = {} }: Given): Map<string, string> {
  const own = readPairs(parameter);
  const given = { ...headers, ...own };
  checkParameterNames(own, contract, listFree(contract));
  const found = contract.operations.map(
    (operation) => [operation.id, describeLacking(listNeeded(operation, given, contract))] as const,
  );
  const stated = found.filter((each): each is [string, string] => each[1] !== undefined);
  return new Map([...listLackingFree(contract, own), ...stated, ...listUnanswerable(contract)]);
}

/** The scopes that no token of the run surely lacks, of those that a scenario leaves out. */
function findLackedScopes({ steps }: Scenario, keys: RunKeys): LackedScopes[] {
  return steps.flatMap(({ lacks }) => (lacks === undefined || lackScopes(keys, lacks) !== undefined ? [] : [lacks]));
}

function noteScopes(lacked: readonly LackedScopes[]): string[] {
  const [first] = lacked;
  if (first === undefined) return [];
  const scopes = [...new Set(lacked.flatMap((each) => each.scopes))];
  const named = scopes.slice(0, MOST_REASONS).join(', ') + (scopes.length > MOST_REASONS ? ' and others' : '');
  return [
    `not tested: whether ${named} ${scopes.length === 1 ? 'is' : 'are'} needed (this needs ${describeLackingToken(first)})`,
  ];
}

type Given = Pick<ConformanceOptions, 'parameter' | 'headers'>;

/** Each reason once, with the operations that it keeps from being asked. */
function noteLacking(lacking: Reasons): string[] {
  return [...new Set(lacking.values())].map((reason) => {
    const operations = [...lacking].filter(([, each]) => each === reason).map(([id]) => id);
    return `not tested: ${operations.slice(0, MOST_REASONS).join(', ')}${operations.length > MOST_REASONS ? ' and others' : ''}: ${reason}`;
  });
}

const MOST_REASONS = 4;

function describeNothing(contract: Contract, lacking: readonly string[]): PetstoreMockError {
  const { document } = contract;
  const why = describeUntested(contract, lacking);
  return new PetstoreMockError(
    'empty-selection',
    `there is nothing to test: no scenario that was selected applies to ${document.file} (${why}). Scenarios of your own can test it: give them with --scenarios.`,
  );
}

/** Why the scenarios that apply to any contract test nothing of this one. */
function describeUntested(contract: Contract, lacking: readonly string[]): string {
  const notes = [...lacking.map((each) => each.replace(/^not tested: /, '')), ...bindSubjects(contract).notes];
  if (notes.length === 0)
    return 'they test collections of records, and none can be inferred from its paths and schemas; --resources can name them';
  const rest = notes.length - MOST_REASONS;
  return `${notes.slice(0, MOST_REASONS).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

/** What ships is read once in a process: a test suite plans its run, makes it, and has more files that do. */
const shipped = new WeakMap<Contract, readonly Scenario[]>();

function readScenarios(
  contract: Contract,
  { scenarios: paths = [] }: Pick<ConformanceOptions, 'scenarios'>,
): readonly Scenario[] {
  const known = paths.length === 0 ? shipped.get(contract) : undefined;
  if (known !== undefined) return known;
  const scenarios = loadScenarios([packageFile('scenarios'), ...paths], contract);
  if (paths.length === 0) shipped.set(contract, scenarios);
  return scenarios;
}

/** Shipped scenarios are based on places in the shipped contract. */
function rebase(
  scenarios: readonly Scenario[],
  contract: Contract,
  options: Pick<ConformanceOptions, 'spec'>,
): Scenario[] {
  return scenarios.map((scenario) =>
    scenario.hasShippedBasis && scenario.basis.startsWith('#')
      ? { ...scenario, basis: `#${rebasePointer(scenario.basis.slice(1), contract, options)}` }
      : scenario,
  );
}

// What a run leaves out of all that a contract does not allow, since it would cost too many requests.

/** A sentence for each operation of which not all is tried. */
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

/** The operations whose successful answers contradict themselves, by their ids, with the reason: every target would deviate. */
export function listUnanswerable(contract: Contract): [string, string][] {
  return contract.operations.flatMap((operation): [string, string][] => {
    const found = findIn(operation, contract);
    return found === undefined ? [] : [[operation.id, describe(found, contract)]];
  });
}

function findIn({ responses }: Operation, { document }: Contract): Contradiction | undefined {
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  const found = successes.map(({ content }) => {
    const isAllJson = content.length > 0 && content.every(({ mediaType }) => isJsonMediaType(mediaType));
    const pointer = isAllJson ? content[0]?.schemaPointer : undefined;
    return pointer === undefined ? undefined : findContradiction(document, pointer);
  });
  return found.every((each) => each !== undefined) ? found[0] : undefined;
}

function describe({ name, pointer }: Contradiction, { document }: Contract): string {
  const place = placeIn(document, pointer);
  const excluded = `its \`additionalProperties: false\` (${showPlace(place)}, #${place.pointer}) allows only the properties beside it`;
  return `no response can be valid: \`${name}\` is required, but ${excluded}; list it there`;
}

/**
 * The scenarios of one shard, in their order. Each scenario belongs to one shard; what it builds on runs in its shard as
 * well. Scenarios about the same gap stay together, since only their answers together show a choice. The same scenarios
 * give the same shards on every machine. Throws a {@link PetstoreMockError} for more shards than there is to share.
 */
export function chooseShard(scenarios: readonly Scenario[], { index, of }: Shard): Scenario[] {
  const gapOf = ({ id, gap }: Scenario): string => (gap === undefined ? `scenario ${id}` : `gap ${gap}`);
  const groups = [...groupBy(scenarios, gapOf).values()];
  if (groups.length < of) throw refuseEmpty(groups.length, of);
  const shards = Array.from({ length: of }, () => new Set<Scenario>());
  groups.forEach((group, at) => {
    const wanted = closeOver(group, scenarios);
    // One group each at first, so that no shard is empty.
    const shard = at < of ? shards[at] : findCheapest(shards, wanted);
    for (const scenario of wanted) shard?.add(scenario);
  });
  const chosen = shards[index - 1];
  return scenarios.filter((scenario) => chosen?.has(scenario));
}

/** The scenarios, with those that they build on. */
function closeOver(group: readonly Scenario[], all: readonly Scenario[]): Scenario[] {
  const ids = withDependencies(group, all);
  return all.filter(({ id }) => ids.has(id));
}

/** The shard that would send the fewest requests with them. */
function findCheapest(shards: readonly Set<Scenario>[], wanted: readonly Scenario[]): Set<Scenario> | undefined {
  const costs = shards.map((shard) => countRequests([...new Set([...shard, ...wanted])]));
  return shards[costs.indexOf(Math.min(...costs))];
}

function countRequests(scenarios: readonly Scenario[]): number {
  return scenarios.reduce((sum, scenario) => sum + foreseeRequests(scenario), 0);
}

function refuseEmpty(most: number, of: number): PetstoreMockError {
  return new PetstoreMockError(
    'empty-selection',
    `--shard: the selected scenarios can be shared by at most ${most} ${most === 1 ? 'job' : 'jobs'}, not ${of}.`,
  );
}
