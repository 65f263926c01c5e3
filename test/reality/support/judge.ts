// What a run told of a program, and what it did to it: both are looked at from outside, as its owner would.
import { judgeResult } from '../../../src/cli/conformance/judge-result.js';
import type { Problem, RunResult } from '../../../src/conformance/model/result.js';
import { exitCodeOf } from '../../../src/cli/terminal.js';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { fileOf, startProgram, type Item, type Program, type Service } from './kit.js';

/** A problem: its id is the same in every run. */
export type Told = Pick<Problem, 'id' | 'headline' | 'operations'>;

export interface Judged {
  /** The exit code that the program would have. */
  exit: number;
  /** What it tells, in its order. */
  told: readonly Told[];
  /** What its owner had, and has no longer as it was. */
  touched: string[];
  /** Sequences that moved beyond what was made. */
  moved: string[];
  /** How many records of the run are still there, apart from those that are gone in all but name. */
  left: number;
  /** How many are there with those. */
  there: number;
  /** Whether some of them had to stay. */
  hasLasting: boolean;
  /** How many the result says are there. */
  leftSaid: number;
  requests: number;
  ms: number;
}

/** Runs the runner at a program with some habits, as its users would, and looks what became of it. */
export async function judge(program: Program, habits: readonly string[], settleMs?: number): Promise<Judged> {
  const { url, service, close } = await startProgram(program, habits);
  const look = watch(service);
  try {
    const { apiKey, parameter, hasRecords } = program;
    const run = runConformance({
      target: url,
      apiKey,
      spec: fileOf(program, 'openapi'),
      settleMs,
      ...(parameter === undefined ? {} : { parameter }),
      ...(hasRecords ? { records: fileOf(program, 'records') } : {}),
    });
    const told = await run.then(readResult, (error: unknown) => ({ ...NOTHING, exit: exitCodeOf(error) }));
    return { ...told, ...look(), hasLasting: program.hasLasting ?? false };
  } finally {
    await close();
  }
}

/** Of a run that ended with an error. */
const NOTHING = { told: [], leftSaid: 0, requests: 0, ms: 0 };

function readResult(result: RunResult): Pick<Judged, 'exit' | 'told' | 'leftSaid' | 'requests' | 'ms'> {
  const { problems, leftBehind = [], summary, durationMs } = result;
  return {
    exit: judgeResult(result, { failOn: undefined, minCoverage: 0, minConcluded: 0, writeBaseline: undefined }).code,
    told: problems,
    leftSaid: leftBehind.reduce((sum, { count }) => sum + count, 0),
    requests: summary.requests,
    ms: durationMs,
  };
}

type Rows = Record<string, Map<string, Item>>;

export type Harm = Pick<Judged, 'touched' | 'moved' | 'left' | 'there'>;

/** Keeps what is in the tables now; what is returned says what has become of them since. */
export function watch({ tables }: Pick<Service, 'tables'>): () => Harm {
  const before = Object.fromEntries(Object.entries(tables).map(([name, { rows }]) => [name, structuredClone(rows)]));
  return () => compare(tables, before);
}

function compare(tables: Service['tables'], before: Rows): Harm {
  const each = Object.entries(tables).map(([name, table]) => ({ name, table, owned: before[name] ?? new Map() }));
  const added = each.flatMap(({ table, owned }) =>
    [...table.rows].filter(([key]) => !owned.has(key)).map(([, row]) => table.isGone(row)),
  );
  return {
    touched: each.flatMap(({ name, table, owned }) =>
      [...owned].flatMap(([key, row]) =>
        JSON.stringify(table.rows.get(key)) === JSON.stringify(row) ? [] : [`${name} ${key}`],
      ),
    ),
    moved: each.flatMap(({ name, table }) => (table.moved() === 0 ? [] : [`${name} by ${table.moved()}`])),
    left: added.filter((isGone) => !isGone).length,
    there: added.length,
  };
}
