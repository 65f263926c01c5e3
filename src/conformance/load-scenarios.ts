import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readDocument, type SourceDocument } from '../contract/document.js';
import type { Operation } from '../contract/operations.js';
import { shorten } from '../contract/violation.js';
import { PetstoreMockError } from '../errors.js';
import { packageFile } from '../package-files.js';
import { checkAgainstSchema, compileFileSchema, type FileSchema } from './check-against-schema.js';
import { checkScenario } from './check-scenario.js';
import { findCycle } from './select-scenarios.js';
import type { Assumption, Expectation, Outcome, Scenario, Step, StepBody } from './scenario.js';

const SCHEMA_FILE = 'scenarios/scenario.schema.json';

/**
 * Reads scenario files and expands their tables. A path may be a file or a
 * folder of `*.yaml`. Throws a {@link PetstoreMockError} with file, line and column for a mistake.
 */
export function loadScenarios(paths: readonly string[], operations: readonly Operation[]): Scenario[] {
  const files = paths.flatMap(listFiles);
  const schema = compileFileSchema(SCHEMA_FILE);
  const scenarios = files.flatMap((path) => loadFile(path, schema));
  for (const scenario of scenarios) checkScenario(scenario, scenarios, operations);
  const repeated = scenarios.find((scenario, index) => scenarios.findIndex(({ id }) => id === scenario.id) !== index);
  if (repeated !== undefined) {
    throw new PetstoreMockError(
      'unusable-scenario',
      `there are two scenarios with the id ${repeated.id}.`,
      repeated.place,
    );
  }
  const waiting = findCycle(scenarios);
  if (waiting === undefined) return scenarios;
  throw new PetstoreMockError(
    'unusable-scenario',
    `${waiting.id} waits for itself by \`dependsOn\` or \`after\`.`,
    waiting.place,
  );
}

function listFiles(path: string): string[] {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return [path];
  const files = readdirSync(path).filter((name) => /\.ya?ml$/.test(name));
  if (files.length === 0)
    throw new PetstoreMockError('unusable-scenario', `the folder ${path} has no scenario files (*.yaml).`);
  return files.sort().map((name) => join(path, name));
}

function loadFile(path: string, schema: FileSchema): Scenario[] {
  const shownAs = path.startsWith(packageFile('scenarios')) ? `scenarios/${basename(path)}` : path;
  const document = readDocument(path, { code: 'unusable-scenario', shownAs });
  checkAgainstSchema(document, schema, 'unusable-scenario');
  const list = document.at('/scenarios') as RawScenario[];
  const prefix = basename(path).replace(/\.ya?ml$/, '');
  return list.flatMap((raw, index) => expand(document, raw, `/scenarios/${index}`, prefix));
}

/** A scenario as the file has it, after the schema has been checked. */
interface RawScenario {
  id: string;
  title: string;
  basis: string;
  gap?: string;
  dependsOn?: string[];
  after?: string[];
  cases?: (Record<string, unknown> & { id: string })[];
  steps: RawStep[];
}

interface RawStep {
  id: string;
  operationId?: string;
  request?: { method: string; path: string };
  auth?: Step['auth'];
  parameters?: Record<string, unknown>;
  query?: string;
  headers?: Step['headers'];
  requestBody?: StepBody;
  each?: { in: string; atMost?: number };
  search?: { to: number; atMost?: number };
  expect?: Expectation;
  assume?: Assumption;
  outcomes?: Outcome[];
  settle?: string;
  outputs?: Record<string, string>;
}

function expand(document: SourceDocument, raw: RawScenario, pointer: string, prefix: string): Scenario[] {
  const rows = raw.cases ?? [undefined];
  return rows.map((row, index) => ({
    id: `${prefix}/${raw.id}${row === undefined ? '' : `[${row.id}]`}`,
    title: fillTitle(raw.title, row),
    basis: raw.basis,
    gap: raw.gap,
    dependsOn: raw.dependsOn ?? [],
    after: raw.after ?? [],
    case: row ?? {},
    steps: raw.steps.map((step) => readStep(step, row)),
    place: document.placeOf(row === undefined ? pointer : `${pointer}/cases/${index}`),
  }));
}

function fillTitle(title: string, row: Record<string, unknown> | undefined): string {
  return title.replace(/\{\$case\.([\w-]+)\}/g, (_, name: string) => showValue(row?.[name]));
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? value : shorten(value);
}

function readStep(raw: RawStep, row: Record<string, unknown> | undefined): Step {
  const auth = (raw.auth as string) === '$case.auth' ? (row?.['auth'] as Step['auth']) : raw.auth;
  return {
    id: raw.id,
    operationId: raw.operationId,
    request: raw.request,
    auth: auth ?? 'valid',
    parameters: raw.parameters ?? {},
    query: raw.query,
    headers: raw.headers ?? {},
    requestBody: raw.requestBody,
    each: raw.each === undefined ? undefined : { in: raw.each.in, atMost: raw.each.atMost ?? 100 },
    search: raw.search === undefined ? undefined : { ...raw.search, atMost: raw.search.atMost ?? 12 },
    expect: raw.expect,
    assume: raw.assume,
    outcomes: raw.outcomes,
    settle: raw.settle,
    outputs: raw.outputs ?? {},
  };
}
