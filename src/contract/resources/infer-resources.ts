import type { Contract } from '../contract.js';
import { NO_CORRECTION, type Correction } from './correction.js';
import { nameResources } from './name-resources.js';
import { findParents } from './find-parents.js';
import { findSingletons } from './find-singletons.js';
import { addViews } from './find-views.js';
import { listCandidates, listPlaces, type Candidate } from './places.js';
import { readResource } from './read-resource.js';
import type { Inferred } from './resource.js';
import { createSchemaView } from './schema-view.js';
import { stemOf } from './words.js';

/** What {@link inferResources} reads of a contract. */
export type Described = Pick<Contract, 'document' | 'operations'>;

/** The resources of a contract, from the document alone. The same contract is read once. */
export function inferResources(contract: Described): Inferred {
  const known = inferred.get(contract);
  if (known !== undefined) return known;
  const found = infer(contract);
  inferred.set(contract, found);
  return found;
}

const inferred = new WeakMap<Described, Inferred>();

function infer({ document, operations }: Described): Inferred {
  const places = listPlaces(operations);
  const candidates = listCandidates(places);
  const reading = {
    document,
    view: createSchemaView(document),
    correct: (_candidate: Candidate): Correction => NO_CORRECTION,
    stems: new Set(candidates.map(({ name }) => stemOf(name))),
    notes: [],
  };
  const drafts = candidates.flatMap((candidate) => readResource(candidate, reading) ?? []);
  nameResources(drafts);
  const kept = findParents(drafts, reading);
  addViews(kept, places, reading);
  const resources = kept.map(({ resource }) => resource);
  return { resources, singletons: findSingletons(kept, places, reading), notes: reading.notes };
}
