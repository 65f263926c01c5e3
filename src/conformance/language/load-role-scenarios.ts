import { basename } from 'node:path';
import type { Contract } from '../../contract/contract.js';
import { readDocument, type SourceDocument } from '../../contract/document/document.js';
import { listPackageFolder, packageFile } from '../../package-files.js';
import type { LoadedScenario } from './check-scenario.js';
import { expand } from './expand-scenario.js';
import { leaveOutInapplicable } from './leave-out-inapplicable.js';
import { bindScenario } from '../subjects/bind-roles.js';
import type { Scenario } from '../model/scenario.js';
import type { Binding } from '../subjects/binding.js';
import { bindSubjects } from '../subjects/bind-subjects.js';
import type { RoleFile, RoleScenario } from '../subjects/role-scenario.js';
import type { Subject } from '../subjects/subject.js';

const FOLDER = 'scenarios/resources';

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

function readRoleFiles(): SourceDocument[] {
  const files = listPackageFolder(FOLDER).filter((name) => name.endsWith('.yaml'));
  return files.map((name) =>
    readDocument(packageFile(`${FOLDER}/${name}`), {
      code: 'unusable-scenario',
      kind: 'scenarios',
      shownAs: `${FOLDER}/${name}`,
    }),
  );
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
    bindScenario({ ...defaults, ...raw }, file, binding).flatMap((bound) => {
      const placing = {
        document,
        pointer: `/scenarios/${scenarios.indexOf(raw)}`,
        prefix,
      };
      return expand(bound, { ...placing, isShipped: true, isProven: true, gaps: [] })
        .map((loaded) => leaveOutInapplicable(loaded, contract))
        .filter(({ scenario }) => scenario.leftOut === undefined)
        .filter(({ scenario }) => raw.once !== true || !asked.has(nameForAll(scenario)))
        .map((loaded) => mark(loaded, raw, binding.subject));
    }),
  );
}

/** What is asked of one resource alone: a gap of the service, or a scenario under its id without the resource. */
function nameForAll({ id, gap }: LoadedScenario['scenario']): string {
  return gap ?? id.slice(id.indexOf('/') + 1);
}

/** The petstore's own scenarios test its list, create and get. */
const OWN = new Set<string>(['list', 'create', 'get']);

interface Marked extends LoadedScenario {
  isNew: boolean;
}

function mark(loaded: LoadedScenario, { steps }: RoleScenario, { isPetstore, roles }: Subject): Marked {
  const scenario = { ...loaded.scenario, hasShippedBasis: false };
  const asked = scenario.steps.map(({ operationId }) => operationId);
  const isOfOther = Object.entries(roles).some(([role, bound]) => !OWN.has(role) && asked.includes(bound.operation.id));
  return { ...loaded, scenario, isNew: !isPetstore || (isOfOther && steps.length > 0) };
}

/**
 * Leaves out the scenarios that build on one that does not apply, and for the petstore also those that only repeat its
 * own scenarios.
 */
function keepUsed(loaded: readonly LoadedScenario[], { subject }: Binding): LoadedScenario[] {
  const marked = loaded as readonly Marked[];
  const own = `${subject.name}/`;
  const isThere = (list: readonly Marked[], pattern: string): boolean =>
    !pattern.startsWith(own) || list.some(({ scenario }) => scenario.id === pattern);
  let kept = [...marked];
  for (let count = -1; count !== kept.length;) {
    count = kept.length;
    const list = kept;
    kept = list.filter(({ scenario }) => scenario.dependsOn.every((pattern) => isThere(list, pattern)));
  }
  const needed = new Set<string>();
  for (let size = -1; size !== needed.size;) {
    size = needed.size;
    for (const { scenario, isNew } of kept)
      if (isNew || needed.has(scenario.id)) for (const id of [scenario.id, ...scenario.dependsOn]) needed.add(id);
  }
  const left = kept.filter(({ scenario }) => needed.has(scenario.id));
  return left.map((each) => Object.assign({}, each, { scenario: keepOrder(each.scenario, left) }));
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
