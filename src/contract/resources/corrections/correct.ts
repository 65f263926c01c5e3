import type { SourceDocument } from '../../document/document.js';
import type { Operation } from '../../model.js';
import { suggest } from '../../../suggest.js';
import { NO_CORRECTION, refuse, type Correction, type Corrections } from './correction.js';
import { listCandidates, readSegments, shapeOf, type Candidate, type PathPlace } from '../places.js';
import { findInContract } from './read-corrections.js';
import { stemOf } from '../words.js';

/** The pairs of paths that may be resources, each with the user's statements. */
export interface Corrected {
  candidates: Candidate[];
  correct: (candidate: Candidate) => Correction;
}

/** A file takes precedence over the contract's own statements, and both over inference. */
export function applyCorrections(
  { document, operations }: { document: SourceDocument; operations: readonly Operation[] },
  places: ReadonlyMap<string, PathPlace>,
  given: Corrections | undefined,
): Corrected {
  const said = new Map([...findInContract(document, operations), ...(given?.byPath ?? [])]);
  const candidates = listCandidates(places);
  if (said.size === 0) return { candidates, correct: () => NO_CORRECTION };
  const known = candidates.flatMap(({ collectionPath, item }) => [collectionPath, item.path]);
  const byShape = new Map<string, Correction>();
  const own: Candidate[] = [];
  for (const [path, correction] of said) {
    const shape = shapeOf(readSegments(path));
    const paired = correction.item === undefined ? undefined : pair(path, correction, places);
    if (paired !== undefined) own.push(paired);
    else if (!known.some((each) => shapeOf(readSegments(each)) === shape)) {
      refuse(correction, '', `the contract has no collection at ${path}${suggest(path, known)}`);
    }
    checkOperations(correction, operations);
    byShape.set(shape, correction);
  }
  const items = new Set(own.map(({ item }) => item));
  return {
    candidates: [...candidates.filter(({ item }) => !items.has(item)), ...own],
    correct: ({ segments, item }) =>
      byShape.get(shapeOf(segments)) ?? byShape.get(shapeOf(item.segments)) ?? NO_CORRECTION,
  };
}

/** A collection whose items have an unusual path. */
function pair(path: string, correction: Correction, places: ReadonlyMap<string, PathPlace>): Candidate {
  const { item: itemPath = '' } = correction;
  const [segments, itemSegments] = [readSegments(path), readSegments(itemPath)];
  const item = places.get(shapeOf(itemSegments));
  const parameter = itemSegments.findLast((each) => each.parameter !== undefined)?.parameter;
  if (item === undefined) {
    const paths = [...places.values()].map((place) => place.path);
    return refuse(correction, 'item', `the contract has no path ${itemPath}${suggest(itemPath, paths)}`);
  }
  if (parameter === undefined) return refuse(correction, 'item', `${itemPath} has no parameter to name an item.`);
  return createCandidate({ item, segments, parameter, places, path });
}

function createCandidate({
  item,
  segments,
  parameter,
  places,
  path,
}: Pick<Candidate, 'item' | 'segments' | 'parameter'> & {
  places: ReadonlyMap<string, PathPlace>;
  path: string;
}): Candidate {
  const name = segments.findLast((each) => each.parameter === undefined)?.text ?? '';
  const collection = places.get(shapeOf(segments));
  return { item, collection, segments, collectionPath: path, name, stem: stemOf(name), parameter };
}

function checkOperations(correction: Correction, operations: readonly Operation[]): void {
  const ids = operations.map(({ id }) => id);
  for (const id of Object.keys(correction.operations ?? {})) {
    if (!ids.includes(id)) {
      refuse(correction, `operations/${id}`, `the contract has no operation ${id}${suggest(id, ids)}`);
    }
  }
}
