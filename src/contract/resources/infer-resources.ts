import { readOnce } from '../read-once.js';
import type { Contract } from '../contract.js';
import { applyCorrections } from './corrections/correct.js';
import { nameResources } from './name-resources.js';
import { findParents } from './find-parents.js';
import { findSingletons } from './find-singletons.js';
import { readSource } from './find-roles.js';
import { addViews } from './find-views.js';
import { listPlaces } from './places.js';
import { readResource, type Draft } from './read-resource.js';
import type { Inferred } from './resource.js';
import { readInferred } from './written.js';
import { createSchemaView } from './schema-view.js';
import { stemOf } from './words.js';

/** The parts of a contract that {@link inferResources} reads. */
export type Described = Pick<Contract, 'document' | 'operations' | 'corrections'>;

/** The resources of a contract, from the document alone. */
export const inferResources = readOnce((contract: Described): Inferred => {
  const { document, operations, corrections } = contract;
  const { resources } = document;
  const isReady = resources !== undefined && corrections === undefined;
  return isReady ? readInferred(resources, operations) : infer(contract);
});

function infer(contract: Described): Inferred {
  const { document, operations } = contract;
  const places = listPlaces(operations);
  const { candidates, correct } = applyCorrections(contract, places, contract.corrections);
  const reading = {
    document,
    view: createSchemaView(document),
    correct,
    operations,
    stems: new Set(candidates.map(({ name }) => stemOf(name))),
    notes: [],
  };
  const drafts = candidates.flatMap((candidate) => readResource(candidate, reading) ?? []);
  const whole = drafts.filter(({ isAlone }) => !isAlone);
  nameResources(whole);
  const parents = findParents(whole, reading);
  const alone = drafts.filter((each) => each.isAlone && !isNamed(each, parents));
  addViews([...alone, ...parents], places, reading);
  for (const { resource } of drafts) {
    resource.key = { ...resource.key, ...readSource(reading.view, resource.operations, resource.key.property) };
  }
  const kept = [...parents, ...alone.filter(isCreatedBelow)];
  const resources = kept.map(({ resource }) => resource);
  return { resources, singletons: findSingletons(kept, places, reading), notes: reading.notes };
}

function isNamed({ resource, candidate }: Draft, others: readonly Draft[]): boolean {
  return others.some((other) => other.resource.name === resource.name || other.candidate.stem === candidate.stem);
}

/** What can only be read at a path of its own keeps state if it is created below another. */
function isCreatedBelow({ resource }: Draft): boolean {
  return resource.operations.some(({ role, within }) => role === 'create' && within !== undefined);
}
