// Small services, each with a document and habits of its own, as the rows of a table: what a run reports of each.
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { inTurn } from '../../../../scripts/turns.mjs';
import type { ConformanceOptions, RunResult } from '../../../../src/conformance/index.js';
import { integer, text, type Schema } from './odd-resource.js';
import { describeShelf, serveShelf, type Habits, type ShelfPlan } from './shelf.js';
import { packageFile } from '../../../../src/package-files.js';
import { MOST_PROBLEMS } from './expect-problem.js';
import { describePaths, fail, judgeStranger, type Answer, type Asked, type Item, type Serve } from './stranger.js';

export const id = { ...integer, readOnly: true };
export const name = { ...text, minLength: 1 };
export const ALL = ['list', 'create', 'get', 'replace', 'update', 'remove'] as const;

/** Rejects with 400 what the schema of the request body does not allow; an update needs none of the fields. */
export type Fit = (body: unknown, asked: Pick<Asked, 'method'>) => Answer | undefined;

export type Operation = { responses: Record<string, Schema>; parameters?: Schema[]; requestBody?: Schema };
export type Paths = Record<string, Record<string, Operation>>;

export interface Stranger {
  /** What the service does, and what a run says of it. */
  title: string;
  plan: ShelfPlan;
  /** Changes the paths of the document, or gives others. */
  paths?: (paths: Paths) => object | void;
  /** What the document has beside its paths. */
  beside?: Schema;
  /** What it does otherwise than a shelf that keeps its contract; state is made anew for each run. */
  habits?: (fit: Fit) => Habits;
  /** In place of the one shelf of the plan. */
  serve?: (fit: Fit, shelf: Serve) => Serve;
  first?: readonly Item[];
  only?: readonly string[];
  options?: Partial<ConformanceOptions>;
  /** The headlines of all problems, in order. Default: none. */
  told?: readonly (string | RegExp)[];
  /** Of any problem, in place of `told`. */
  among?: string | RegExp;
  /** How many problems there are then at most. Default: as many as one defect may have. */
  most?: number;
  also?: (result: RunResult) => unknown;
}

export type Row = Omit<Stranger, 'title'>;

/** A row: its title, and what it has, of which the later parts count. */
export const stranger = (title: string, ...parts: readonly Partial<Stranger>[]): Stranger =>
  Object.assign({ title }, ...parts) as Stranger;

export function createFit({ sent, record }: Pick<ShelfPlan, 'sent' | 'record'>, components: unknown = {}): Fit {
  let compiled: { part: (body: unknown) => boolean; whole: (body: unknown) => boolean } | undefined;
  const compile = (): NonNullable<typeof compiled> => {
    const ajv = new Ajv.default({ strict: false, validateSchema: false });
    addFormats.default(ajv);
    const { required = [], ...schema } = sent ?? record;
    const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
    const properties = Object.fromEntries(fields.filter(([, each]) => each['readOnly'] !== true));
    const part = { ...schema, properties, components };
    const needed = (required as string[]).filter((each) => each in properties);
    return { part: ajv.compile(part), whole: ajv.compile({ ...part, required: needed }) };
  };
  // Only a service that asks: not every document is one that can be compiled.
  return (body, { method }) => {
    compiled ??= compile();
    return (method === 'PATCH' ? compiled.part(body) : compiled.whole(body)) ? undefined : fail(400);
  };
}

/** A contract that stands in this folder, read anew. */
export function readContract(of: string): { paths: Paths; components: { schemas: Record<string, Schema> } } {
  const path = packageFile(`test/conformance/resources/support/${of}.openapi.yaml`);
  return parse(readFileSync(path, 'utf8')) as ReturnType<typeof readContract>;
}

/** One run for each row whose turn it is. */
export function testStrangers(rows: readonly Stranger[]): void {
  test.each(inTurn(rows, 12))('$title', async (row) => {
    const result = await runStranger(row);
    const expected = row.among === undefined ? (row.told ?? []) : [row.among];
    expect(findExpected(result, row)).toEqual(expected);
    expect(result.problems.slice(row.among === undefined ? Infinity : (row.most ?? MOST_PROBLEMS))).toEqual([]);
    await row.also?.(result);
  });
}

/** Each headline, or in its place what it is expected to be. */
function findExpected({ problems }: RunResult, { told = [], among }: Stranger): unknown[] {
  const headlines = problems.map(({ headline }) => headline);
  const isIt = (each: string | RegExp, headline: string): boolean =>
    typeof each === 'string' ? each === headline : each.test(headline);
  if (among !== undefined && headlines.some((each) => isIt(among, each))) return [among];
  return headlines.map((each, index) => told.slice(index, index + 1).find((one) => isIt(one, each)) ?? each);
}

/** A row for each of several values. */
export const rowsOf = <T>(values: readonly T[], row: (value: T) => Stranger): Stranger[] =>
  values.map((each) => row(each));

export function runStranger({ plan, beside = {}, only, options, ...row }: Omit<Stranger, 'title'>): Promise<RunResult> {
  const paths = describeShelf(plan);
  const document = describePaths(row.paths?.(paths as unknown as Paths) ?? paths, beside);
  const fit = createFit(plan, beside['components']);
  const shelf = serveShelf(plan.name, { refuse: fit, ...row.habits?.(fit) }, row.first);
  return judgeStranger(document, row.serve?.(fit, shelf) ?? shelf, only, options);
}

/** The ids of the scenarios that are inconclusive. */
export const listOpen = ({ scenarios }: Pick<RunResult, 'scenarios'>): string[] =>
  scenarios.filter(({ verdict }) => verdict === 'inconclusive').map((each) => each.id);
