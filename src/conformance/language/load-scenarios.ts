import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readDocument, type SourceDocument } from '../../contract/document/document.js';
import type { Contract } from '../../contract/contract.js';
import type { Operation } from '../../contract/model.js';
import { readProperties } from '../../contract/operations/properties.js';
import { sampleValue } from '../../contract/samples/sample.js';
import { PetstoreMockError } from '../../errors.js';
import { packageFile } from '../../package-files.js';
import { checkAgainstSchema, compileFileSchema } from '../../contract/check-against-schema.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { checkScenario, checkTogether, type LoadedScenario } from './check-scenario.js';
import {
  fillFromContract,
  NotInContract,
  readContractValues,
  type ContractValues,
} from '../wire/request/contract-values.js';
import { fillDefaults, type Defaults } from './fill-defaults.js';
import { placeRecords } from './place-records.js';
import { leaveOutInapplicable } from './leave-out-inapplicable.js';
import { readGapsOf } from '../subjects/read-gaps.js';
import { loadRoleScenarios } from './load-role-scenarios.js';
import { findRenamed } from './renamed-words.js';
import { expand, type Placing } from './expand-scenario.js';
import type { RawScenario, RawStep } from '../model/raw-scenario.js';
import { renameId } from './renamed-ids.js';
import type { Scenario, Step } from '../model/scenario.js';

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
