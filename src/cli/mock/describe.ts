import type { Contract } from '../../contract/contract.js';
import { inferResources } from '../../contract/resources/infer-resources.js';
import type { Inferred, Resource, ResourceNote, RoleOperation, Singleton } from '../../contract/resources/resource.js';
import { describeScheme } from '../../contract/security.js';
import { formatPlace } from '../../errors.js';
import type { Fixtures } from '../../mock/fixtures/fixtures.js';
import { type Kept, findPets } from '../../mock/store/kept.js';
import type { World } from '../../mock/world/world.js';
import { spellOut, spellOutJson } from '../../redact/spell-out.js';
import { isLoopbackHost } from '../../server/admin/guard.js';
import { DEFAULT_API_KEY } from '../../server/options.js';
import type { SetUp, SetUpOptions } from '../../server/set-up.js';
import { ADMIN_PATH } from '../../server/world-names.js';
import { variableOf } from '../options/define-options.js';
import { setUpFrom } from './follow-files.js';
import { PETSTORE_MOCK } from './options.js';
import type { Settings } from './settings.js';

/** The inferred resources of a contract, for people: a line for each, and a line for each uncertain finding. */
export function describeResources(contract: Contract): string[] {
  const inferred = inferResources(contract);
  const listRoles = (operations: readonly RoleOperation[]): string =>
    operations.map(({ role, operation }) => `${role} ${operation.id}`).join(', ');
  const rows = [
    ...inferred.resources.map(({ name, key, parent, operations }) => {
      const by = { service: 'of the service', client: 'of the client', either: 'of either' }[key.givenBy];
      const within = parent === undefined ? '' : `, in ${parent.resource}`;
      return ['resource', name, `${key.property} (${key.kind} ${by}${within})`, listRoles(operations)];
    }),
    ...inferred.singletons.map((each) => ['resource', each.name, 'one', listRoles(each.operations)]),
  ];
  const unsure = listNotes(inferred).map(
    ({ message, pointer }) =>
      `unsure    ${formatPlace(contract.document.placeOf(pointer))}: ${message.replace(/\.$/, '')}`,
  );
  return [...alignColumns(rows), ...unsure];
}

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
  const facts = operations.map(({ operation: { id, method, path }, ...role }) =>
    Object.assign({ operationId: id, method, path }, role),
  );
  return { ...told, operations: facts };
}

const listNotes = (all: Inferred): ResourceNote[] => [...all.notes, ...all.resources.flatMap(({ notes }) => notes)];

/** Rows as lines, with each cell but the last as wide as its column. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = (rows[0] ?? []).slice(0, -1).map((_, column) => widthOf(column));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

type Row = [name: string, text: string];

/** With the other rows of a start, so many fit on a screen of 24 lines. */
const MOST_OPERATIONS = 17;
const MOST_RESOURCES = 12;

/** A row for each operation; of a contract with more than fit on a screen, its largest resources and where all stands. */
export function describeOperations(setUp: SetUp, url: string): Row[] {
  const { operations } = setUp.contract;
  if (operations.length > MOST_OPERATIONS) return describeKept(setUp, url);
  const sources = new Map([
    ...setUp.stateless.map((id) => [id, 'from the contract'] as const),
    ...setUp.own.map((id) => [id, 'your handler'] as const),
  ]);
  const rows = operations.map(({ id, path, deprecated, sunset }) => {
    const marks = [
      // If all operations keep state, there is nothing to point out.
      ...(sources.size === 0 ? [] : [sources.get(id) ?? 'stateful']),
      ...(deprecated ? [`deprecated${sunset === undefined ? '' : `, removed on ${sunset}`}`] : []),
    ];
    return [path, id, marks.join(', ')];
  });
  return alignColumns(rows).map((line, index) => [operations[index]?.method ?? '', line]);
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function describeKept(setUp: SetUp, url: string): Row[] {
  const { contract, stateless, own, world } = setUp;
  const { kept } = world.collections;
  // Those without a parent come first, since they can be asked for at once.
  const ordered = kept.toSorted((a, b) => a.scope.length - b.scope.length || b.operations.length - a.operations.length);
  const cells = ordered.slice(0, MOST_RESOURCES).map((each) => {
    const has = new Set(each.operations.map(({ operation }) => operation.method));
    // The path of the whole collection, if there is one.
    const paths = each.operations.map(({ operation }) => operation.path).toSorted((a, b) => a.length - b.length);
    const methods = METHODS.filter((method) => has.has(method)).join(' ');
    return [each.name, tellSize(each, setUp), methods, paths[0] ?? ''];
  });
  const rest = kept.length - cells.length;
  const all = [
    countOf(contract.operations.length, 'operation'),
    ...(stateless.length === 0 ? [] : [`${stateless.length} stateless, generated from the contract`]),
    ...(own.length === 0 ? [] : [`${own.length} by your handlers`]),
  ];
  return [
    ...alignColumns(cells).map((line): Row => ['keeps', line]),
    ...(rest > 0 ? [['', `and ${countOf(rest, 'resource')} more, which --check lists`] satisfies Row] : []),
    ['all', `${all.join(', ')}: see ${new URL('/', url).href} in a browser`],
  ];
}

/** A collection below a record is made when it is first asked for, so only the number that it will have is known. */
function tellSize(kept: Kept, { world: { collections }, fixtures: { others = 0 } }: SetUp): string {
  if (kept.key === undefined) return 'one';
  if (kept.scope.length > 0) return `${others} in each`;
  return countOf(collections.isOpen(kept, []) ? collections.open(kept).size : others, 'record');
}

const countOf = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

/** The rows of the banner about credentials. A key of the user's is never printed. */
export function describeCredentials(
  { operations, securitySchemes }: Contract,
  { apiKey, credentials }: Pick<Settings, 'apiKey' | 'credentials'>,
): string[][] {
  const names = new Set(operations.flatMap(({ security }) => security.flat().map(({ name }) => name)));
  const used = securitySchemes.filter(({ name }) => names.has(name));
  if (used.length === 0) return [['key', 'none: the contract requires no credentials']];
  const key = ['key', describeKeys(apiKey)];
  const [only] = used;
  if (used.length === 1 && only?.kind === 'bearer' && credentials[only.name] === undefined) return [key];
  const rows = used.map((scheme) => {
    const own = credentials[scheme.name]?.length ?? 0;
    const takes = own === 0 ? '' : `, ${own === 1 ? 'the one' : `one of the ${own}`} you gave with --credential`;
    const how = scheme.kind === 'basic' && own === 0 ? ', the key as the user or as the password' : '';
    return ['auth', `${scheme.name}  ${describeScheme(scheme)}${takes}${how}`];
  });
  return [key, ...rows];
}

function describeKeys(apiKeys: readonly string[]): string {
  const own = apiKeys.filter((key) => key !== DEFAULT_API_KEY).length;
  if (own === 0) return `${DEFAULT_API_KEY} (the default)`;
  const yours = own === 1 ? 'the one you gave' : `the ${own} you gave`;
  return own === apiKeys.length ? yours : `${yours}, and ${DEFAULT_API_KEY}`;
}

const MAX_TOLD = 10;

export function describeCallers({ contract, worlds }: SetUp): string {
  const lines = contract.operations.flatMap(({ id, sunset }) => {
    const counts = new Map<string, number>();
    for (const { callers, redact } of worlds.all()) {
      for (const { operationId, userAgent = 'no User-Agent', origin, referer = origin, count } of callers.list()) {
        if (operationId !== id) continue;
        const who = spellOut(redact(referer === undefined ? userAgent : `${userAgent} at ${referer}`));
        counts.set(who, (counts.get(who) ?? 0) + count);
      }
    }
    const callers = [...counts].sort(([, one], [, other]) => other - one);
    if (callers.length === 0) return [];
    const total = callers.reduce((sum, [, count]) => sum + count, 0);
    const removal = sunset === undefined ? 'deprecated' : `removed on ${sunset}`;
    const width = String(callers[0]?.[1]).length;
    const told = callers.slice(0, MAX_TOLD).map(([who, count]) => `  ${String(count).padStart(width)}  ${who}`);
    const rest = callers.length > MAX_TOLD ? [`  and ${callers.length - MAX_TOLD} other callers`] : [];
    return [`${id}, ${removal}, was called ${countOf(total, 'time')}, by:`, ...told, ...rest];
  });
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

const TOKEN_VARIABLE = variableOf(PETSTORE_MOCK, 'admin-token');

/** Where the admin API is, or why there is none. */
export function describeAdmin({ admin, adminToken, host }: Settings, origin: string): string {
  if (!admin) return 'off';
  const url = `${origin}${ADMIN_PATH}`;
  if (adminToken !== undefined) return `${url}  with the token of ${TOKEN_VARIABLE}`;
  if (isLoopbackHost(host)) return url;
  return `off, since other machines can reach this one; set ${TOKEN_VARIABLE} to turn it on`;
}

/** What a world begins with, for people: `50 pets`, or `4 collections, 200 records`; some of them are generated only on request. */
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

export function countPets(world: World, { models }: Pick<Fixtures, 'models'>): number {
  const pets = findPets(world.contract);
  if (pets !== undefined && models !== undefined) return models.length;
  return pets === undefined ? 0 : world.collections.open(pets).size;
}

/** Reads and describes everything that a start would read. Throws as a start does. */
export function checkFiles(settings: Settings & Pick<SetUpOptions, 'onProgress'>): { text: string; notes: number } {
  const { onProgress, profile: profileFile, handlersFile, config } = settings;
  const { contract, world, fixtures, notes, profile, own } = setUpFrom(settings, { checkAll: true, onProgress });
  const { file } = contract.document;
  if (settings.log === 'json') {
    const facts = {
      event: 'checked',
      contract: file,
      fixtures: fixtures.name,
      profile: profileFile,
      config,
      ...(own.length === 0 ? {} : { handlers: own }),
      ...toResourceFacts(contract),
      ...(notes.length === 0 ? {} : { notes }),
    };
    return { text: spellOutJson(JSON.stringify(facts)), notes: notes.length };
  }
  const counted = countOf(contract.operations.length, 'operation');
  const rows = [
    ['contract', file, `${contract.title} ${contract.version}, ${counted}`],
    ['fixtures', fixtures.name, `${countRecords(world, fixtures)}, seed ${fixtures.seed}`],
    ...(profileFile === undefined ? [] : [['profile', profile.name, '']]),
    ...(handlersFile === undefined ? [] : [['handlers', handlersFile, own.join(', ')]]),
    ['config', config ?? 'none', ''],
  ];
  const width = Math.max(...rows.map(([, each = '']) => each.length));
  const lines = rows.map(([name = '', each = '', found = '']) =>
    `${name.padEnd(9)} ${each.padEnd(width)}  ${found}`.trimEnd(),
  );
  const noted = notes.map((note) => `${'note'.padEnd(9)} ${note}`);
  // Each may quote what stands in the document, which may hold line feeds and what steers a terminal.
  return { text: [...lines, ...describeResources(contract), ...noted].map(spellOut).join('\n'), notes: notes.length };
}
