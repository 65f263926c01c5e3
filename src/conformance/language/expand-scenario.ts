import type { SourceDocument } from '../../contract/document/document.js';
import { printJson, shorten } from '../../contract/document/json.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import type { LoadedScenario } from './check-scenario.js';
import type { RawScenario, RawStep, Row } from '../model/raw-scenario.js';
import type { Assumption, Expectation, Scenario, Step } from '../model/scenario.js';
import { fillCase } from '../http/template.js';

/** Where a scenario is. */
export interface Placing {
  document: SourceDocument;
  pointer: string;
  /** The file name in its id. */
  prefix: string;
  isShipped: boolean;
  /** Whether it was checked when the package was built. */
  isProven: boolean;
  gaps: readonly Gap[];
  /** Why it has no meaning under the contract. */
  leftOut?: string | undefined;
}

/** The scenario, or one for each row of its table. */
export function expand(raw: RawScenario, placing: Placing): LoadedScenario[] {
  const rows = listRows(raw.cases) ?? [undefined];
  const { document, pointer } = placing;
  const columns = placing.isProven ? new Set<string>() : listColumns(raw);
  return rows.map((row, index) => {
    const place = document.placeOf(row === undefined ? pointer : `${pointer}/cases/${index}`);
    return {
      scenario: readScenario(raw, row, { ...placing, place }),
      locate: (at) => (at === '' ? place : document.placeOf(pointer + at)),
      isProven: placing.isProven,
      columns,
    };
  });
}

/** The names of the columns that its title and steps use. */
function listColumns({ title, steps }: RawScenario): Set<string> {
  return new Set([...printJson([title, steps]).matchAll(/\$case\.([\w-]+)/g)].map(([, name]) => name ?? ''));
}

function readScenario(
  raw: RawScenario,
  row: Row | undefined,
  { prefix, place, leftOut, isShipped, gaps }: Placing & Pick<Scenario, 'place'>,
): Scenario {
  return {
    id: `${prefix}/${raw.id}${row === undefined ? '' : `[${row.id}]`}`,
    title: fillTitle(raw.title, row),
    basis: raw.basis ?? gaps.find(({ id }) => id === raw.gap)?.contract ?? '',
    gap: raw.gap,
    dependsOn: raw.dependsOn ?? [],
    after: raw.after ?? [],
    tier: raw.tier ?? (raw.gap === undefined ? 2 : 3),
    fresh: raw.fresh ?? false,
    alone: raw.alone ?? false,
    case: row ?? {},
    about: raw.about,
    steps: raw.steps.map((step) => readStep(step, row)),
    place,
    isShipped,
    hasShippedBasis: isShipped || raw.basis === undefined,
    leftOut,
  };
}

function listRows(cases: RawScenario['cases']): Row[] | undefined {
  if (cases === undefined || Array.isArray(cases)) return cases;
  return (cases.each as unknown[]).map((value) => ({ id: String(value) }));
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
    asks: raw.asks,
    auth: auth ?? 'valid',
    schemes: raw.schemes,
    lacks: raw.lacks,
    control: raw.control ?? false,
    isAtNewKey: raw.isAtNewKey ?? false,
    changes: raw.changes,
    invented: raw.invented,
    guessed: raw.guessed ?? [],
    parameters: raw.parameters ?? {},
    query: raw.query,
    headers: raw.headers ?? {},
    requestBody: raw.requestBody,
    form: raw.form,
    each: raw.each === undefined ? undefined : { ...raw.each, atMost: raw.each.atMost ?? 100 },
    search: raw.search === undefined ? undefined : { ...raw.search, atMost: raw.search.atMost ?? 12 },
    pages: raw.pages,
    atOnce: raw.atOnce,
    requires: raw.requires,
    expect: fillCase(raw.expect, row ?? {}) as Expectation | undefined,
    assume: fillCase(raw.assume, row ?? {}) as Assumption | undefined,
    outcomes: raw.outcomes,
    retryFrom: raw.retryFrom,
    rounds: raw.rounds,
    outputs: raw.outputs ?? {},
  };
}
