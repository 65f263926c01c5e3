import type { Contract } from '../../contract/contract.js';
import { inferResources } from '../../contract/resources/infer-resources.js';
import type { Inferred, Resource, ResourceNote, RoleOperation, Singleton } from '../../contract/resources/resource.js';
import { formatPlace } from '../../errors.js';
import type { Operation, SecurityScheme } from '../../contract/model.js';
import { type Kept, findPets } from '../../mock/store/kept.js';
import type { SetUp, SetUpOptions } from '../../server/set-up.js';
import { describeScheme } from '../../contract/security.js';
import { DEFAULT_API_KEY } from '../../server/options.js';
import type { Settings } from './settings.js';
import { spellOut, spellOutJson } from '../../redact/spell-out.js';
import { isLoopbackHost } from '../../server/admin/guard.js';
import { ADMIN_PATH } from '../../server/world-names.js';
import { variableOf } from '../options/define-options.js';
import { PETSTORE_MOCK } from './program.js';
import type { Fixtures } from '../../mock/fixtures/fixtures.js';
import type { World } from '../../mock/world/world.js';
import { setUpFrom } from './follow-files.js';

/** The inferred resources of a contract, for people: a line for each, and a line for each uncertain finding. */
export function describeResources(contract: Contract): string[] {
  const { resources, singletons } = inferResources(contract);
  const rows = [
    ...resources.map((each) => [each.name, describeKey(each), listRoles(each.operations)]),
    ...singletons.map((each) => [each.name, 'one', listRoles(each.operations)]),
  ];
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([name = '', key = '', roles = '']) =>
    `resource  ${name.padEnd(widths[0] ?? 0)}  ${key.padEnd(widths[1] ?? 0)}  ${roles}`.trimEnd(),
  );
  const unsure = listNotes(inferResources(contract)).map(
    ({ message, pointer }) =>
      `unsure    ${formatPlace(contract.document.placeOf(pointer))}: ${message.replace(/\.$/, '')}`,
  );
  return [...lines, ...unsure];
}

/** The same as data. */
export function toResourceFacts(contract: Contract): object {
  const inferred = inferResources(contract);
  return {
    resources: inferred.resources.map(toFacts),
    singletons: inferred.singletons.map(toFacts),
    unsure: listNotes(inferred).map(({ message, pointer }) => ({
      message,
      place: formatPlace(contract.document.placeOf(pointer)),
    })),
  };
}

function toFacts({ operations, ...rest }: Resource | Singleton): object {
  const { notes: _, ...told } = { notes: [], ...rest };
  return { ...told, operations: operations.map(toOperationFacts) };
}

function toOperationFacts({ operation, ...rest }: RoleOperation): object {
  const { id, method, path } = operation;
  return { operationId: id, method, path, ...rest };
}

function listNotes({ resources, notes }: Inferred): ResourceNote[] {
  return [...notes, ...resources.flatMap((each) => each.notes)];
}

function describeKey({ key, parent }: Resource): string {
  const by = { service: 'of the service', client: 'of the client', either: 'of either' }[key.givenBy];
  return `${key.property} (${key.kind} ${by}${parent === undefined ? '' : `, in ${parent.resource}`})`;
}

function listRoles(operations: readonly RoleOperation[]): string {
  return operations.map(({ role, operation }) => `${role} ${operation.id}`).join(', ');
}

type Row = [name: string, text: string];

/** With the other rows of a start, so many fit on a screen of 24 lines. */
const MOST_OPERATIONS = 17;
const MOST_RESOURCES = 12;

/** A row for each operation; of a contract with more than fit on a screen, its largest resources and where all stands. */
export function describeOperations(setUp: SetUp, url: string): Row[] {
  return setUp.contract.operations.length > MOST_OPERATIONS ? describeKept(setUp, url) : describeEach(setUp);
}

/** What is the same for all is found once. */
function describeEach({ contract: { operations }, stateless, own }: SetUp): Row[] {
  const [pathWidth, idWidth] = [widthOf(operations.map(({ path }) => path)), widthOf(operations.map(({ id }) => id))];
  const sources = new Map([
    ...stateless.map((id) => [id, 'from the contract'] as const),
    ...own.map((id) => [id, 'your handler'] as const),
  ]);
  return operations.map((operation) => {
    const removal = operation.sunset === undefined ? '' : `, removed on ${operation.sunset}`;
    const marks = [
      // If all operations keep state, there is nothing to point out.
      ...(sources.size === 0 ? [] : [sources.get(operation.id) ?? 'stateful']),
      ...(operation.deprecated ? [`deprecated${removal}`] : []),
    ];
    const names = `${operation.path.padEnd(pathWidth)}  ${operation.id.padEnd(idWidth)}`;
    return [operation.method, `${names}  ${marks.join(', ')}`.trimEnd()];
  });
}

function describeKept(setUp: SetUp, url: string): Row[] {
  const { kept } = setUp.world.collections;
  // Those without a parent come first, since they can be asked for at once.
  const ordered = kept.toSorted((a, b) => a.scope.length - b.scope.length || b.operations.length - a.operations.length);
  const cells = ordered.slice(0, MOST_RESOURCES).map((each) => [each.name, tellSize(each, setUp), listMethods(each)]);
  const widths = [0, 1, 2].map((column) => widthOf(cells.map((row) => row[column] ?? '')));
  const rows = cells.map((row, index): Row => {
    const columns = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return ['keeps', [...columns, findPath(ordered[index])].join('  ')];
  });
  const rest = kept.length - rows.length;
  return [
    ...rows,
    ...(rest > 0 ? [['', `and ${countOf(rest, 'resource')} more, which --check lists`] satisfies Row] : []),
    ['all', `${describeAll(setUp)}: see ${new URL('/', url).href} in a browser`],
  ];
}

function describeAll({ contract: { operations }, stateless, own }: SetUp): string {
  const others = [
    ...(stateless.length === 0 ? [] : [`${stateless.length} stateless, generated from the contract`]),
    ...(own.length === 0 ? [] : [`${own.length} by your handlers`]),
  ];
  return [countOf(operations.length, 'operation'), ...others].join(', ');
}

/** A collection below a record is made when it is first asked for, so only the number that it will have is known. */
function tellSize(kept: Kept, { world: { collections }, fixtures: { others = 0 } }: SetUp): string {
  if (kept.key === undefined) return 'one';
  if (kept.scope.length > 0) return `${others} in each`;
  return countOf(collections.isOpen(kept, []) ? collections.open(kept).size : others, 'record');
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function listMethods({ operations }: Kept): string {
  const has = new Set(operations.map(({ operation }) => operation.method));
  return METHODS.filter((method) => has.has(method)).join(' ');
}

/** That of the whole collection, if there is one. */
function findPath(kept: Kept | undefined): string {
  const paths = (kept?.operations ?? []).map(({ operation }: { operation: Operation }) => operation.path);
  return paths.toSorted((a, b) => a.length - b.length)[0] ?? '';
}

function countOf(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

function widthOf(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}

type Keys = Pick<Settings, 'apiKey' | 'credentials'>;

/** The rows of the banner about credentials. A key of the user's is never printed. */
export function describeCredentials(contract: Contract, settings: Keys): string[][] {
  const used = listUsed(contract);
  const key = ['key', describeKeys(settings.apiKey)];
  if (used.length === 0) return [['key', 'none: the contract requires no credentials']];
  const [only] = used;
  if (used.length === 1 && only?.kind === 'bearer' && settings.credentials[only.name] === undefined) return [key];
  return [key, ...used.map((scheme) => ['auth', `${scheme.name}  ${describeOne(scheme, settings)}`])];
}

/** The schemes that an operation asks for. */
function listUsed({ operations, securitySchemes }: Contract): SecurityScheme[] {
  const names = new Set(operations.flatMap(({ security }) => security.flat().map(({ name }) => name)));
  return securitySchemes.filter(({ name }) => names.has(name));
}

function describeOne(scheme: SecurityScheme, { credentials }: Keys): string {
  const own = credentials[scheme.name]?.length ?? 0;
  const takes = own === 0 ? '' : `, ${own === 1 ? 'the one' : `one of the ${own}`} you gave with --credential`;
  const how = scheme.kind === 'basic' && own === 0 ? ', the key as the user or as the password' : '';
  return `${describeScheme(scheme)}${takes}${how}`;
}

function describeKeys(apiKeys: readonly string[]): string {
  const own = apiKeys.filter((key) => key !== DEFAULT_API_KEY).length;
  if (own === 0) return `${DEFAULT_API_KEY} (the default)`;
  const yours = own === 1 ? 'the one you gave' : `the ${own} you gave`;
  return own === apiKeys.length ? yours : `${yours}, and ${DEFAULT_API_KEY}`;
}

const MAX_TOLD = 10;

/** Who called operations that will be removed, for the end of a session; `''` if nobody did. */
export function describeCallers(ready: SetUp): string {
  const lines = ready.contract.operations.flatMap(({ id, sunset }) => {
    const callers = countCallers(ready, id);
    if (callers.length === 0) return [];
    const total = callers.reduce((sum, [, count]) => sum + count, 0);
    const removal = sunset === undefined ? 'deprecated' : `removed on ${sunset}`;
    const width = String(callers[0]?.[1]).length;
    const told = callers.slice(0, MAX_TOLD).map(([who, count]) => `  ${String(count).padStart(width)}  ${who}`);
    const rest = callers.length > MAX_TOLD ? [`  and ${callers.length - MAX_TOLD} other callers`] : [];
    return [`${id}, ${removal}, was called ${total} time${total === 1 ? '' : 's'}, by:`, ...told, ...rest];
  });
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

/** The callers of all worlds, the most frequent first. */
function countCallers({ worlds }: SetUp, operation: string): [string, number][] {
  const counts = new Map<string, number>();
  for (const { callers, redact } of worlds.all()) {
    for (const { operationId, userAgent = 'no User-Agent', origin, referer = origin, count } of callers.list()) {
      if (operationId !== operation) continue;
      const who = spellOut(redact(referer === undefined ? userAgent : `${userAgent} at ${referer}`));
      counts.set(who, (counts.get(who) ?? 0) + count);
    }
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}

const TOKEN_VARIABLE = variableOf(PETSTORE_MOCK, 'admin-token');

/** Where the admin API is, or why there is none. */
export function describeAdmin({ admin, adminToken, host }: Settings, origin: string): string {
  if (!admin) return 'off';
  const url = `${origin}${ADMIN_PATH}`;
  if (adminToken !== undefined) return `${url}  with the token of ${TOKEN_VARIABLE}`;
  return isLoopbackHost(host)
    ? url
    : `off, since other machines can reach this one; set ${TOKEN_VARIABLE} to turn it on`;
}

/**
 * What a world begins with, for people: `50 pets`, or `4 collections, 200 records`; some of them are generated only on
 * request.
 */
export function countRecords(world: World, fixtures: Pick<Fixtures, 'others' | 'models'>): string {
  const { others = 0 } = fixtures;
  const { kept } = world.collections;
  const pets = findPets(world.contract);
  if (kept.length === 1 && pets !== undefined) return countOf(countPets(world, fixtures), 'pet');
  if (kept.length === 0) return 'no collections';
  const { ready } = world.collections.starts;
  const given = ready.filter((state) => state.kept !== pets);
  // Nobody knows how many records belong to one record before a client asks for them, except those of a pack.
  const generated = kept.filter(
    (each) => each !== pets && each.scope.length === 0 && !ready.some((state) => state.kept === each),
  );
  const records =
    given.reduce((sum, { state }) => sum + state.records.length, 0) +
    generated.reduce((sum, { key }) => sum + (key === undefined ? Math.min(others, 1) : others), 0);
  return `${countOf(kept.length, 'collection')}, ${countOf(countPets(world, fixtures) + records, 'record')}`;
}

/** The number of pets, including those that are generated only on request. */
export function countPets(world: World, { models }: Pick<Fixtures, 'models'>): number {
  const pets = findPets(world.contract);
  if (pets !== undefined && models !== undefined) return models.length;
  return pets === undefined ? 0 : world.collections.open(pets).size;
}

/** What a start would read, described. */
interface Checked {
  text: string;
  /** How many notes there are on the document and what can be made of it. */
  notes: number;
}

/** Reads everything that a start would read, including the shipped contract, and describes it. Throws as a start does. */
export function checkFiles(settings: Settings & Pick<SetUpOptions, 'onProgress'>): Checked {
  const { contract, world, fixtures, notes, profile, own } = setUpFrom(settings, {
    checkAll: true,
    onProgress: settings.onProgress,
  });
  if (settings.log === 'json') {
    const facts = {
      event: 'checked',
      contract: contract.document.file,
      fixtures: fixtures.name,
      profile: settings.profile,
      config: settings.config,
      ...(own.length === 0 ? {} : { handlers: own }),
      ...toResourceFacts(contract),
      ...(notes.length === 0 ? {} : { notes }),
    };
    return { text: spellOutJson(JSON.stringify(facts)), notes: notes.length };
  }
  const counted = `${contract.operations.length} operation${contract.operations.length === 1 ? '' : 's'}`;
  const rows = [
    ['contract', contract.document.file, `${contract.title} ${contract.version}, ${counted}`],
    ['fixtures', fixtures.name, `${countRecords(world, fixtures)}, seed ${fixtures.seed}`],
    ...(settings.profile === undefined ? [] : [['profile', profile.name, '']]),
    ...(settings.handlersFile === undefined ? [] : [['handlers', settings.handlersFile, own.join(', ')]]),
    ['config', settings.config ?? 'none', ''],
  ];
  const width = Math.max(...rows.map(([, file = '']) => file.length));
  const lines = rows.map(([name = '', file = '', found = '']) =>
    `${name.padEnd(9)} ${file.padEnd(width)}  ${found}`.trimEnd(),
  );
  const noted = notes.map((note) => `${'note'.padEnd(9)} ${note}`);
  // Each may quote what stands in the document, which may hold line feeds and what steers a terminal.
  return { text: [...lines, ...describeResources(contract), ...noted].map(spellOut).join('\n'), notes: notes.length };
}
