import { PetstoreMockError } from '../../errors.js';
import { findNearest } from '../../suggest.js';
import type { Scenario } from '../model/scenario.js';

type Selection = { only: readonly string[]; skip: readonly string[] };

/** The selected scenarios of `about`, and what they depend on. Throws a {@link PetstoreMockError} for a pattern or a selection without any. */
export function selectScenarios(all: readonly Scenario[], { only, skip }: Selection, about = new Set(all)): Scenario[] {
  const ids = all.map(({ id }) => id);
  for (const pattern of [...only, ...skip]) checkPattern(pattern, ids);
  const wanted = all.filter(({ id }) => only.length === 0 || only.some((pattern) => matchesId(id, pattern)));
  const kept = wanted.filter((each) => about.has(each) && !skip.some((pattern) => matchesId(each.id, pattern)));
  if (kept.length === 0)
    throw new PetstoreMockError(
      'empty-selection',
      `no scenario is left to run; check --only and --skip${about.size < all.length ? ', --tag, --operation, --method and --path' : ''}.`,
    );
  const needed = withDependencies(kept, all);
  return all.filter((scenario) => needed.has(scenario.id));
}

export const nameTable = (id: string): string => id.replace(/\[.*\]$/, '');

function checkPattern(pattern: string, ids: readonly string[]): void {
  if (ids.some((id) => matchesId(id, pattern))) return;
  const message = `there is no scenario ${pattern}${suggestPattern(pattern, ids)} --list shows them all.`;
  throw new PetstoreMockError('empty-selection', message);
}

export function suggestPattern(pattern: string, ids: readonly string[]): string {
  const meant = findMeant(pattern, ids);
  if (meant !== undefined) return `; did you mean ${meant}?`;
  return `; every id begins with ${listFiles(ids)
    .map((file) => `${file}/`)
    .join(' or ')}.`;
}

function findMeant(pattern: string, ids: readonly string[]): string | undefined {
  const files = listFiles(ids);
  const names = [...new Set(ids.flatMap((id) => [id, nameTable(id)]))];
  if (pattern.includes('/')) {
    const { file, scenario } = splitId(pattern);
    const other = `${findNearest(file, files) ?? file}/${scenario}`;
    return ids.some((id) => matchesId(id, other)) ? other : findNearest(pattern, names);
  }
  if (files.some((file) => matchesId(file, pattern))) return `${pattern}/*`;
  const owner = ids.find((id) => matchesId(splitId(id).scenario, pattern));
  if (owner !== undefined) return `${splitId(owner).file}/${pattern}`;
  const near = findNearest(pattern, files);
  return near === undefined ? findNearest(pattern, names) : `${near}/*`;
}

const listFiles = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => splitId(id).file))];

function splitId(id: string): { file: string; scenario: string } {
  const at = id.indexOf('/');
  return { file: id.slice(0, at), scenario: id.slice(at + 1) };
}

export function withDependencies(scenarios: readonly Scenario[], all: readonly Scenario[]): Set<string> {
  const needed = new Set<string>();
  const byId = new Map(all.map((scenario) => [scenario.id, scenario]));
  const find = createFinder([...byId.keys()]);
  const add = (scenario: Scenario): void => {
    if (needed.has(scenario.id)) return;
    needed.add(scenario.id);
    for (const id of scenario.dependsOn.flatMap(find)) add(byId.get(id) ?? scenario);
  };
  scenarios.forEach(add);
  return needed;
}

export function createFinder(ids: readonly string[]): (pattern: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const named = groupIds(ids, (id) => [...new Set([id, nameTable(id)])]);
  const begun = groupIds(ids, (id) => [splitId(id).file]);
  const look = (pattern: string): readonly string[] => {
    if (!pattern.includes('*')) return named.get(pattern) ?? [];
    const { file } = splitId(pattern);
    const candidates = file === '' || file.includes('*') ? ids : (begun.get(file) ?? []);
    return candidates.filter((id) => matchesId(id, pattern));
  };
  return (pattern) => {
    const found = known.get(pattern) ?? look(pattern);
    known.set(pattern, found);
    return found;
  };
}

function groupIds(ids: readonly string[], namesOf: (id: string) => readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const id of ids)
    for (const name of namesOf(id)) {
      const own = groups.get(name) ?? [];
      own.push(id);
      groups.set(name, own);
    }
  return groups;
}

export function listPredecessors(scenarios: readonly Scenario[]): Map<string, string[]> {
  const find = createFinder(scenarios.map(({ id }) => id));
  const listBefore = ({ id: own, dependsOn, after }: Scenario) =>
    [...dependsOn, ...after].flatMap((pattern) => find(pattern).filter((id) => id !== own));
  return new Map(scenarios.map((scenario) => [scenario.id, listBefore(scenario)]));
}

export function findCycle(scenarios: readonly Scenario[]): Scenario | undefined {
  const predecessors = listPredecessors(scenarios);
  const done = new Set<string>();
  for (let rest = [...scenarios]; rest.length > 0;) {
    const blocked = new Set(rest.filter(({ id }) => predecessors.get(id)?.some((each) => !done.has(each)) === true));
    if (blocked.size === rest.length) return rest[0];
    for (const scenario of rest) if (!blocked.has(scenario)) done.add(scenario.id);
    rest = [...blocked];
  }
  return undefined;
}

/** Whether an id matches a pattern: the id itself, a table without its case, or a glob. */
export function matchesId(id: string, pattern: string): boolean {
  if (id === pattern) return true;
  // As `nameTable` would say; asked for every pair of scenarios.
  const isCase = id.charAt(pattern.length) === '[' && id.endsWith(']') && id.startsWith(pattern);
  if (isCase && !pattern.includes('[')) return true;
  if (!pattern.includes('*')) return false;
  const [first = '', ...parts] = pattern.split('*');
  const last = parts.pop() ?? '';
  if (!id.startsWith(first) || !id.endsWith(last) || id.length < first.length + last.length) return false;
  let at = first.length; // Each part at its first occurrence: no other leaves more room for the following parts.
  for (const part of parts) {
    const found = id.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= id.length - last.length;
}
