import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readDocument, type SourceDocument, escapePointer } from '../../contract/document/document.js';
import type { Contract } from '../../contract/contract.js';
import type { Operation } from '../../contract/model.js';
import { readProperties } from '../../contract/operations/properties.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { PetstoreMockError } from '../../errors.js';
import { packageFile } from '../../package-files.js';
import { checkAgainstSchema, compileFileSchema } from '../../contract/check-against-schema.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { checkScenario, checkTogether, type LoadedScenario } from './check-scenario.js';
import { fillFromContract, NotInContract, readContractValues, type ContractValues } from '../http/template.js';
import { fillDefaults, type Defaults } from './fill-defaults.js';
import { placeRecords } from './place-records.js';
import { leaveOutInapplicable } from './leave-out-inapplicable.js';
import { readGapsOf } from '../resources/read-gaps.js';
import { loadRoleScenarios } from './load-role-scenarios.js';
import { expand, type Placing } from './expand-scenario.js';
import type { RawScenario, RawStep } from '../model/raw-scenario.js';
import { renameId } from './renamed-ids.js';
import type { Scenario, Step } from '../model/scenario.js';
import type { Mistake } from '../judge/keyword.js';

/** Scenarios that only one contract has; those of `scenarios/` itself speak of roles. */
const OF_ONE_CONTRACT = 'scenarios/contracts';
const SCHEMA_FILE = 'scenarios/scenario.schema.json';

/**
 * Reads scenario files, fills in the contract's values and expands their tables. A path may be a file or a
 * folder of `*.yaml`. Throws a {@link PetstoreMockError} with file, line and column for a mistake.
 */
export function loadScenarios(paths: readonly string[], contract: Contract): Scenario[] {
  const hasShipped = paths.some((path) => isShippedFolder(path));
  const files = paths.flatMap((path) => listFiles(isShippedFolder(path) ? packageFile(OF_ONE_CONTRACT) : path));
  const values = readContractValues(contract);
  const gaps = readGapsOf(contract).known;
  const loaded = putObservingLast(
    renameReferences([
      ...files.flatMap((path) => loadFile(path, { contract, values, gaps })),
      ...(hasShipped ? loadRoleScenarios(contract) : []),
    ]),
  );
  const scenarios = loaded.map(({ scenario }) => scenario);
  for (const each of loaded) if (!each.isProven) checkScenario(each, { scenarios, contract, values, gaps });
  checkTogether(scenarios);
  return scenarios;
}

function isShippedFolder(path: string): boolean {
  return resolve(path) === packageFile('scenarios');
}

/** A team's own scenarios may still depend on shipped ones under names of earlier releases. */
function renameReferences(loaded: readonly LoadedScenario[]): LoadedScenario[] {
  const ids = loaded.map(({ scenario }) => scenario.id);
  const rename = (patterns: readonly string[]): string[] => patterns.map((pattern) => renameId(pattern, ids));
  return loaded.map(({ scenario, ...rest }) => ({
    scenario: { ...scenario, dependsOn: rename(scenario.dependsOn), after: rename(scenario.after) },
    ...rest,
  }));
}

/** A run first tests what the contract states, then observes what it leaves open. */
function putObservingLast(loaded: readonly LoadedScenario[]): LoadedScenario[] {
  const observes = ({ scenario }: LoadedScenario): boolean => scenario.gap !== undefined;
  return [...loaded.filter((each) => !observes(each)), ...loaded.filter(observes)];
}

function listFiles(path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return [path];
  const files = readdirSync(path).filter((name) => /\.ya?ml$/.test(name));
  if (files.length === 0)
    throw new PetstoreMockError('unusable-scenario', `the folder ${path} has no scenario files (*.yaml).`);
  return files.sort().map((name) => join(path, name));
}

interface Loading {
  contract: Contract;
  values: ContractValues;
  gaps: readonly Gap[];
}

function loadFile(path: string, loading: Loading): LoadedScenario[] {
  const isShipped = dirname(resolve(path)) === packageFile(OF_ONE_CONTRACT);
  const shownAs = isShipped ? `${OF_ONE_CONTRACT}/${basename(path)}` : path;
  const document = readDocument(path, { code: 'unusable-scenario', kind: 'scenarios', shownAs });
  // What ships was checked when the package was built.
  const isProven = document.isPrecompiled === true;
  if (!isProven) checkFile(document);
  const defaults = document.at('/defaults') as Defaults | undefined;
  const list = (document.at('/scenarios') as RawScenario[]).map((raw) => fillDefaults(raw, defaults));
  const prefix = basename(path).replace(/\.ya?ml$/, '');
  return list.flatMap((raw, index) => {
    const pointer = `/scenarios/${index}`;
    const place: Placing = { document, pointer, prefix, isShipped, isProven, gaps: loading.gaps };
    return isShipped ? expandShipped(raw, place, loading) : expandOwn(raw, place, loading);
  });
}

/** Throws a {@link PetstoreMockError} for anything that a scenario file may not contain. */
function checkFile(document: SourceDocument): void {
  const renamed = findRenamed(document.root);
  if (renamed !== undefined) {
    throw new PetstoreMockError('unusable-scenario', renamed.message, document.placeOf(renamed.at));
  }
  checkAgainstSchema(document, compileFileSchema(SCHEMA_FILE), 'unusable-scenario');
}

/** A shipped scenario without meaning under a team's contract gives the reason when it is run. */
function expandShipped(raw: RawScenario, placing: Placing, { values, contract }: Loading): LoadedScenario[] {
  const required = {
    ...raw,
    steps: raw.steps.map((step) => ({
      ...step,
      requires: step.requires ?? requirementOf(step),
    })),
  };
  const missing = findMissing(required, contract.operations);
  if (missing !== undefined) return expandUnfilled(required, placing, `the contract has no ${missing}`);
  try {
    return expand(placeAll(fillFromContract(completeBodies(required, contract), values), contract), placing).map(
      (each) => leaveOutInapplicable(each, contract),
    );
  } catch (error) {
    if (!(error instanceof NotInContract)) throw error;
    return expandUnfilled(required, placing, error.message);
  }
}

function expandUnfilled(raw: RawScenario, placing: Placing, leftOut: string): LoadedScenario[] {
  const rows = Array.isArray(raw.cases) ? raw.cases : undefined;
  const { cases: _cases, ...rest } = raw;
  return expand(rows === undefined ? rest : { ...rest, cases: rows }, { ...placing, leftOut });
}

function expandOwn(raw: RawScenario, placing: Placing, { values, contract }: Loading): LoadedScenario[] {
  try {
    return expand(placeAll(fillFromContract(raw, values), contract), placing);
  } catch (error) {
    if (!(error instanceof NotInContract)) throw error;
    const place = placing.document.placeOf(placing.pointer);
    throw new PetstoreMockError('unusable-scenario', `${placing.prefix}/${raw.id}: ${error.message}.`, place);
  }
}

/** With the fields that a team's contract requires of a new record beside those that the scenario knows. */
function completeBodies(raw: RawScenario, { operations, document }: Contract): RawScenario {
  const complete = (step: RawStep): RawStep => {
    const schema = operations.find(({ id }) => id === step.operationId)?.requestBody?.content[0]?.schemaPointer;
    const { json } = step.requestBody ?? {};
    if (schema === undefined || typeof json !== 'object' || json === null) return step;
    const lacking = readProperties(document, schema).filter(
      ({ name, required }) => required && !Object.hasOwn(json, name),
    );
    const more = lacking.map(({ name, schemaPointer }) => [name, sampleValue(document, schemaPointer)]);
    return { ...step, requestBody: { ...step.requestBody, json: { ...json, ...Object.fromEntries(more) } } };
  };
  return { ...raw, steps: raw.steps.map(complete) };
}

function placeAll(raw: RawScenario, contract: Contract): RawScenario {
  return { ...raw, steps: raw.steps.map((step) => placeRecords(step, contract)) };
}

/** An operation or a parameter that a scenario uses and the contract does not define. */
function findMissing({ steps }: RawScenario, operations: readonly Operation[]): string | undefined {
  for (const { operationId, parameters = {} } of steps) {
    if (operationId === undefined) continue;
    const operation = operations.find(({ id }) => id === operationId);
    if (operation === undefined) return `operation ${operationId}`;
    const known = new Set(operation.parameters.map(({ name }) => name));
    // If the contract has no limit, the largest page is the whole list.
    const names = Object.keys(parameters).filter((name) => parameters[name] !== '$limit.largestPage');
    const stranger = names.find((name) => !known.has(name));
    if (stranger !== undefined) return `parameter ${stranger} of ${operationId}`;
  }
  return undefined;
}

/** What the contract must say about a request that is expected to succeed, or to get exactly 400. */
function requirementOf({ auth = 'valid', expect, requestBody }: RawStep): Step['requires'] {
  if (auth !== 'valid' || expect?.status === undefined) return undefined;
  const statuses = [expect.status].flat().map(String);
  if (statuses.every((status) => status.startsWith('2'))) return 'valid';
  return statuses.every((status) => status === '400') && requestBody !== undefined ? 'invalid' : undefined;
}

/** Words of scenario files in earlier releases, and their current names. CHANGELOG.md has the table. */
const RENAMED: Readonly<Record<string, string>> = {
  premise: 'requires',
  settle: 'retryFrom',
};

/** Words that are gone, with what says the same of the records of any list. */
const GONE: Readonly<Record<string, string>> = {
  every: 'write `records: { every: { status: sold } }`',
  contains: 'write `records: { has: [{ key: ..., like: ... }] }`',
  page: 'write `records: { atMost: ... }`; whether a page is full, the shipped scenarios observe',
  covers: 'the shipped scenarios compare filtered lists with the whole list',
  listed: 'write `records: { has: [{ key: ... }] }`',
  nothingNew: 'the shipped scenarios look for rejected records',
  noneRefused: 'the shipped scenarios look for rejected records',
  noRefusedPets: 'the shipped scenarios look for rejected records',
  lacksPets: 'leave it out',
};
const RENAMED_VALUES: Readonly<Record<string, string>> = { '$limit.longest': '$limit.largestPage' };

/** References that are gone: what they stood for, a step of the scenario asks for, or its file says. */
const GONE_VALUES =
  /\$(?:run\.(?:category|otherCategory|created|seen|lacking|unknownIds?|aliases|nextIds|followingIds|escapedId)|more)\b/;

/** The first word of an earlier release in a file, at a pointer into it. */
function findRenamed(root: unknown): Mistake | undefined {
  const scenarios = (Object(root) as { scenarios?: unknown }).scenarios;
  if (!Array.isArray(scenarios)) return undefined;
  for (const [index, scenario] of scenarios.entries()) {
    const steps = (Object(scenario) as { steps?: unknown }).steps;
    if (!Array.isArray(steps)) continue;
    for (const [number, step] of steps.entries()) {
      const at = `/scenarios/${index}/steps/${number}`;
      const found = findInStep(Object(step) as Record<string, unknown>, at);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function findInStep(step: Record<string, unknown>, at: string): Mistake | undefined {
  const { expect, assume } = step;
  return findKey(step, at) ?? findKey(expect, `${at}/expect`) ?? findKey(assume, `${at}/assume`) ?? findValue(step, at);
}

function findKey(value: unknown, at: string): Mistake | undefined {
  const keys = Object.keys(Object(value) as object);
  const old = keys.find((key) => Object.hasOwn(RENAMED, key));
  if (old !== undefined) return describe(old, RENAMED[old], `${at}/${old}`);
  const gone = keys.find((key) => Object.hasOwn(GONE, key));
  if (gone === undefined) return undefined;
  return { at: `${at}/${gone}`, message: `there is no \`${gone}\` any more: ${GONE[gone] ?? ''}.` };
}

function findValue(value: unknown, at: string): Mistake | undefined {
  if (typeof value === 'string') {
    const old = Object.keys(RENAMED_VALUES).find((each) => value.includes(each));
    if (old !== undefined) return describe(old, RENAMED_VALUES[old], at);
    const [gone] = GONE_VALUES.exec(value) ?? [];
    if (gone === undefined) return undefined;
    return {
      at,
      message: `there is no \`${gone}\` any more: write the value, or take it from the response to an earlier step.`,
    };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = findValue(item, `${at}/${escapePointer(key)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function describe(old: string, now: string | undefined, at: string): Mistake {
  return { at, message: `\`${old}\` is called \`${now ?? ''}\` now.` };
}
