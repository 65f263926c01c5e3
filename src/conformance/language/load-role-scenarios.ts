import { basename } from 'node:path';
import type { Contract } from '../../contract/contract.js';
import { readDocument, type SourceDocument } from '../../contract/document/document.js';
import { listPackageFolder, packageFile } from '../../package-files.js';
import type { LoadedScenario } from './check-scenario.js';
import { expand } from './expand-scenario.js';
import { matchesId } from './matches-id.js';
import { leaveOutInapplicable } from './leave-out-inapplicable.js';
import { bindScenario } from '../resources/instantiate-scenario.js';
import { TABLES } from '../cases/tables.js';
import type { Scenario } from '../model/scenario.js';
import type { Binding } from '../resources/instance.js';
import { bindSubjects } from '../resources/instantiate-resources.js';
import type { RoleFile } from '../resources/role-scenario.js';

const FOLDER = 'scenarios';

/** The shipped scenarios for every resource, bound to the resources of a contract, without those that do not apply. */
export function loadRoleScenarios(contract: Contract): LoadedScenario[] {
  const { bindings } = bindSubjects(contract);
  if (bindings.length === 0) return [];
  const documents = readRoleFiles();
  const asked = new Set<string>();
  return bindings.flatMap((binding) => {
    const kept = keepUsed(
      documents.flatMap((document) => loadFile(document, binding, { contract, asked })),
      binding,
    );
    for (const { scenario } of kept) asked.add(nameForAll(scenario));
    return kept;
  });
}

/**
 * The scenarios of one resource, by their ids, as they are with other records; those alone that are called `only`, if that is
 * given.
 */
export function bindAgain(binding: Binding, only?: string): Map<string, Scenario> {
  const loading = { contract: binding.contract, asked: new Set<string>(), only };
  const loaded = readRoleFiles().flatMap((document) => loadFile(document, binding, loading));
  return new Map(loaded.map(({ scenario }) => [scenario.id, scenario]));
}

let roleFiles: readonly SourceDocument[] | undefined;

/** What ships does not change while a process runs. */
function readRoleFiles(): readonly SourceDocument[] {
  roleFiles ??= listPackageFolder(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => {
      const shownAs = `${FOLDER}/${name}`;
      return readDocument(packageFile(shownAs), { code: 'unusable-scenario', kind: 'scenarios', shownAs });
    });
  return roleFiles;
}

interface Loading {
  contract: Contract;
  /** What is asked of another resource already: gaps, and scenarios by {@link nameForAll}. */
  asked: ReadonlySet<string>;
  /** The id of the only scenario that is asked for. */
  only?: string | undefined;
}

function loadFile(document: SourceDocument, binding: Binding, { contract, asked, only }: Loading): LoadedScenario[] {
  const { defaults, scenarios } = document.root as RoleFile;
  const file = basename(document.file, '.yaml');
  const prefix = `${binding.subject.name}/${file}`;
  const wanted = scenarios.filter(({ id }) => only === undefined || only === `${prefix}/${id}`);
  return wanted.flatMap((raw) =>
    bindScenario({ ...defaults, ...raw }, file, binding, TABLES).flatMap((bound) => {
      const placing = {
        document,
        pointer: `/scenarios/${scenarios.indexOf(raw)}`,
        prefix,
      };
      return expand(bound, { ...placing, isShipped: true, isProven: true, gaps: [] })
        .map((loaded) => leaveOutInapplicable(loaded, contract))
        .filter(({ scenario }) => scenario.leftOut === undefined)
        .filter(({ scenario }) => raw.once !== true || !asked.has(nameForAll(scenario)))
        .map((loaded) => Object.assign(loaded, { scenario: { ...loaded.scenario, hasShippedBasis: false } }));
    }),
  );
}

/** What is asked of one resource alone: a gap of the service, or a scenario under its id without the resource. */
function nameForAll({ id, gap }: LoadedScenario['scenario']): string {
  return gap ?? id.slice(id.indexOf('/') + 1);
}

/** Leaves out the scenarios that build on one that does not apply. */
function keepUsed(loaded: readonly LoadedScenario[], { subject }: Binding): LoadedScenario[] {
  const own = `${subject.name}/`;
  const isThere = (list: readonly LoadedScenario[], pattern: string): boolean =>
    !pattern.startsWith(own) || list.some(({ scenario }) => matchesId(scenario.id, pattern));
  let kept = [...loaded];
  for (let count = -1; count !== kept.length;) {
    count = kept.length;
    const list = kept;
    kept = list.filter(({ scenario }) => scenario.dependsOn.every((pattern) => isThere(list, pattern)));
  }
  return kept.map((each) => Object.assign({}, each, { scenario: keepOrder(each.scenario, kept) }));
}

/** A scenario named in `after` may not exist for this resource. */
function keepOrder(scenario: LoadedScenario['scenario'], left: readonly LoadedScenario[]): LoadedScenario['scenario'] {
  const isThere = (pattern: string): boolean =>
    pattern.startsWith('*/') ||
    left.some(
      ({ scenario: { id } }) => id === pattern || (pattern.endsWith('*') && id.startsWith(pattern.slice(0, -1))),
    );
  return { ...scenario, after: scenario.after.filter((pattern) => isThere(pattern)) };
}
