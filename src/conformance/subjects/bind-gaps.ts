// What scenarios about gaps have beyond those about rules.
import type { Contract } from '../../contract/contract.js';
import type { Gap } from '../../contract/gaps/gaps.js';
import { readOnce } from '../../contract/document/document.js';
import { readGapsOf } from './read-gaps.js';
import type { RawStep } from '../model/raw-scenario.js';
import type { Outcome } from '../model/scenario.js';
import { bindKey } from './keys/bind-keys.js';
import { fillWords, Inapplicable, replaceTexts, statusesOf, type Binding, type BoundStep } from './binding.js';
import type { RoleStep } from './role-scenario.js';
import { TABLES } from './tables/index.js';

/** The gap under the name that it has for a resource, or for the service. */
export function findGap(general: string, binding: Binding): Gap {
  const found = findGapOf(general, binding);
  if (found === undefined) throw new Inapplicable(general);
  return found;
}

function findGapOf(general: string, { subject, contract }: Binding): Gap | undefined {
  const gaps = indexGaps(contract);
  return gaps.get(`${subject.name}.${general}`) ?? gaps.get(general);
}

const indexGaps = readOnce(
  (contract: Contract) =>
    new Map(
      readGapsOf(contract).asked.map((gap) => [
        gap.resource === undefined ? gap.id : `${gap.resource}.${gap.of?.gap ?? gap.id}`,
        gap,
      ]),
    ),
);

/** The operation, or a request at its path that the contract does not define. */
export function bindRequest(
  { method, headers, query }: RoleStep,
  bound: BoundStep,
): Pick<RawStep, 'operationId' | 'request' | 'headers' | 'query'> {
  const {
    operation: { operation },
    row,
    binding,
  } = bound;
  if (method !== undefined && operation.path.includes('{')) throw new Inapplicable('a path without parameters');
  const asked = query === '$case.query' || query === '$case.exact' || query === '$case.unknown';
  const text = asked ? row?.[query.slice('$case.'.length)] : query;
  return {
    ...(method === undefined
      ? { operationId: operation.id }
      : {
          request: {
            method: method === '$missingMethod' ? findMissingMethod(operation.path, binding) : method,
            path: operation.path,
          },
        }),
    ...(headers === undefined ? {} : { headers: fillWords(headers, bound) as NonNullable<RawStep['headers']> }),
    ...(typeof text === 'string' ? { query: text } : {}),
  };
}

/** One that would change nothing, should the service have it after all, comes first; one that removes everything never does. */
function findMissingMethod(path: string, { contract }: Binding): string {
  const own = new Set(contract.operations.filter((each) => each.path === path).map((each) => each.method));
  const found = ['PATCH', 'PUT'].find((method) => !own.has(method));
  if (found === undefined) throw new Inapplicable('a method that the path does not have');
  return found;
}

/** With statuses and keys in place of words. */
export function bindOutcomes({ outcomes }: RoleStep, bound: BoundStep): Pick<RawStep, 'outcomes'> {
  if (outcomes === undefined) return {};
  return {
    outcomes: outcomes.map(({ status, ...outcome }) => ({
      ...(fillKeys(fillWords(outcome, bound), bound.binding) as Outcome),
      ...(status === undefined ? {} : { status: [status].flat().flatMap((each) => readStatus(each, bound)) }),
    })),
  };
}

function readStatus(status: string | number, { operation }: BoundStep): (string | number)[] {
  return typeof status === 'string' && status.startsWith('$') ? statusesOf(status, operation) : [status];
}

/** The name of the key, and a key that no record has. */
export function fillKeys(value: unknown, binding: Binding): unknown {
  const named = (text: string): unknown => (text === '$unknownKey' ? bindKey(text, binding) : text);
  return renameKeys(replaceTexts(value, named), binding.subject.resource.key.property);
}

function renameKeys(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name === '$keyName' ? key : name, renameKeys(item, key)]),
  );
}

/** What an update of one field sends. */
export function changeOf({ binding }: BoundStep): unknown {
  const [row] = TABLES['$changes']?.(binding) ?? [];
  if (row === undefined) throw new Inapplicable('an update');
  return row['record'];
}

/** How full a page must be is a gap; each resource has it under its own name. */
export function nameGap(records: object, { binding }: BoundStep): object {
  if (!('full' in records)) return records;
  const { full, ...rest } = records;
  const gap = findGapOf('short-pages', binding)?.id;
  return gap === undefined ? rest : { ...rest, full: { ...(full as object), gap } };
}
