// The resources under test, each with the records that a run sends: as the contract has them, and once a run has seen which are taken.
import type { Contract } from '../../contract/contract.js';
import { escapePointer, readOnce } from '../../contract/document/document.js';
import { printJson, sameJson } from '../../contract/document/json.js';
import { listTemplateNames } from '../../contract/operations/match.js';
import { plainName } from '../../contract/resources/words.js';
import { chooseInPath, type GivenParameters } from '../http/prepare-request.js';
import { comesFromAnswer, escape } from '../http/template.js';
import { findNewKey, type Binding } from './instance.js';
import { listExampleBodies, listReferences, makeRecords, readGiven } from './make-records.js';
import {
  creatorOf,
  findReferred,
  NONE_MADE,
  pick,
  readAsFound,
  readRest,
  readSubjects,
  type MadeRecords,
  type RecordTemplate,
  type Subject,
} from './resource-under-test.js';
import { fillRecord, fillUnique, isUnique } from './unique-texts.js';

interface BoundSubjects {
  bindings: Binding[];
  notes: string[]; // What cannot be tested, and why: sentences without a full stop.
  found: string[];
}

/** Every resource whose records can be created, in an order that creates what a resource needs before the resource itself. */
export const bindSubjects = readOnce((contract: Contract): BoundSubjects => {
  const bindings: Binding[] = [];
  const notes: string[] = [];
  const found: string[] = [];
  const subjects = readSubjects(contract);
  const ordered: Subject[] = [];
  const waiting = new Set(subjects);
  const listNeeded = (each: Subject): Subject[] =>
    each.fields
      .flatMap((field) => listReferences(field, each, subjects, contract).map(({ to }) => to))
      .concat(each.parent ?? []);
  while (waiting.size > 0) {
    const isReady = (each: Subject) => listNeeded(each).every((other) => other === each || ordered.includes(other));
    const next = [...waiting].find(isReady) ?? [...waiting].find((each) => hasListOf(each, waiting)) ?? [...waiting][0];
    if (next === undefined) break;
    waiting.delete(next);
    ordered.push(next);
  }
  for (const subject of ordered) {
    const there = contract.readOnly === true ? bindFound(subject, bindings, contract) : undefined;
    const bound = there ?? bindSubject(subject, bindings, contract);
    if (typeof bound !== 'string') {
      bindings.push(bound);
      continue;
    }
    const read = bindFound(subject, bindings, contract);
    (read === undefined ? notes : found).push(`${subject.resource.collectionPath}: ${bound}`);
    if (read !== undefined) bindings.push(read);
  }
  const known = bindings.map(({ subject }) => subject);
  const rest = readRest(known, contract);
  if (rest !== undefined)
    bindings.push({ subject: rest, made: NONE_MADE, contract, parent: undefined, scope: {}, dependsOn: [] });
  return { bindings, notes, found };
});

function hasListOf(owner: Subject, others: Iterable<Subject>): boolean {
  const lists = owner.fields.filter(({ type }) => type === 'array').map(({ name }) => plainName(name));
  return [...others].some(
    (other) =>
      other !== owner &&
      lists.includes(`${plainName(other.resource.singular)}s`) &&
      other.fields.some((field) => findReferred(field, other, [owner]) === owner),
  );
}

function listReady(subject: Subject, earlier: readonly Binding[], contract: Contract): Subject[] {
  const isReady = (each: Subject): boolean => each === subject || earlier.some((other) => other.subject === each);
  return readSubjects(contract).filter(isReady);
}

function bindSubject(subject: Subject, earlier: readonly Binding[], contract: Contract): Binding | string {
  const ready = listReady(subject, earlier, contract);
  const { scope, dependsOn } = bindScope(subject, earlier);
  const made = makeRecords(subject, ready, contract, scope);
  if ('lacking' in made) return made.lacking;
  const needed = [...new Set([...made.dependsOn, ...dependsOn])];
  const binding = { subject, made, contract, parent: findBound(subject.parent, earlier), scope, dependsOn: needed };
  if (subject.putsNew === undefined || findNewKey(binding) !== undefined) return binding;
  return `no key that the contract allows a new ${subject.resource.singular} could be made from it`;
}

function bindFound(subject: Subject, earlier: readonly Binding[], contract: Contract): Binding | undefined {
  const read = readAsFound(subject, contract);
  if (read === undefined) return undefined;
  const parent = findBound(subject.parent, earlier);
  return { subject: read, made: NONE_MADE, contract, parent, ...bindScope(read, earlier) };
}

function findBound(subject: Subject | undefined, bindings: readonly Binding[]): Binding | undefined {
  return subject === undefined ? undefined : bindings.find((each) => each.subject.name === subject.name);
}

const GIVEN = '$run.parameters#/';

function bindScope({ resource, parent, isFound }: Subject, earlier: readonly Binding[]) {
  if (resource.scope.length === 0) return { scope: {}, dependsOn: [] };
  const owner = findBound(parent, earlier);
  // Nothing is created among what belongs to others, unless the user names a place for it.
  const isOthers = owner?.subject.isFound === true && isFound !== true;
  if (owner === undefined || isOthers || Object.keys(owner.scope).length !== resource.scope.length - 1) {
    const given = resource.scope.map((name) => [name, `${GIVEN}${escapePointer(name)}`]);
    return { scope: Object.fromEntries(given) as Record<string, string>, dependsOn: [] };
  }
  const id = creatorOf(owner.subject);
  const values = [...Object.values(owner.scope), `$scenarios.${id}.outputs.key`];
  const scope = Object.fromEntries(resource.scope.map((name, index) => [name, values[index] ?? '']));
  return { scope, dependsOn: [...owner.dependsOn, id] };
}

// The path parameters that name no record of which the contract lets a run create one: `{subscriptionId}`.

export const listFree = readOnce((contract: Contract) =>
  bindSubjects(contract).bindings.flatMap(({ subject: { roles }, scope }) => {
    const names = Object.keys(scope);
    const free = names.filter((name) => scope[name]?.startsWith(GIVEN) === true);
    const operations = new Set(free.length === 0 ? [] : Object.values(roles).map(({ operation }) => operation));
    return [...operations].flatMap((operation) =>
      free.flatMap((name) => {
        const own = listTemplateNames(operation.path);
        const called = own.includes(name) ? name : own[names.indexOf(name)];
        const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === called);
        return parameter === undefined ? [] : [{ name, operation, parameter }];
      }),
    );
  }),
);

export function chooseFree(contract: Contract, given: GivenParameters): Record<string, unknown> {
  const found = listFree(contract).map(({ name, parameter }) => [name, chooseInPath(name, parameter, given, contract)]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

export function listLackingFree(contract: Contract, given: GivenParameters): [string, string][] {
  const known = chooseFree(contract, given);
  const lacking = new Map<string, string[]>();
  for (const { name, operation } of listFree(contract)) {
    if (!Object.hasOwn(known, name)) lacking.set(operation.id, [...(lacking.get(operation.id) ?? []), name]);
  }
  return [...lacking].map(([id, names]) => {
    const [what, give] = names.length === 1 ? ['parameter', 'sets it'] : ['parameters', 'set them'];
    const flags = names.map((name) => `--parameter ${name}=<value>`);
    return [id, `it needs the path ${what} ${names.join(' and ')}; ${flags.join(' ')} ${give}`];
  });
}

// What the scenarios of a resource send once a run has seen which record its service takes.

export type Trial = { full: RecordTemplate; plain: RecordTemplate };

export function listOtherTrials({ subject, contract, scope, made }: Binding): Trial[] {
  const { bindings } = bindSubjects(contract);
  const ready = listReady(subject, bindings, contract);
  const examples = listExampleBodies(subject.roles.create, contract);
  const others = [...examples.slice(1), {}].flatMap((example) => {
    const other = makeRecords(subject, ready, contract, scope, example);
    return 'lacking' in other ? [] : [{ full: other.full, plain: other.plain }];
  });
  const asItStands = (record: RecordTemplate): Trial => ({ full: escape(record, isUnique), plain: fillRecord(record) });
  const given = readGiven(subject, contract).map(({ whole }) => asItStands(whole));
  return [...given, { full: made.full, plain: made.plain }, ...examples.map(asItStands), ...others];
}

export function leastOf({ minimal, plain }: MadeRecords): Trial {
  return { full: minimal, plain: pick(plain, Object.keys(minimal)) };
}

export function withLeast(made: MadeRecords, { full, plain }: Trial): MadeRecords {
  const other = pick(full, listChanged(full, made.full));
  return {
    ...made,
    minimal: full,
    full: { ...made.full, ...full },
    plain: { ...made.plain, ...plain },
    other: { ...made.other, ...other },
    changed: made.changed.filter((name) => !Object.hasOwn(other, name)),
  };
}

export function withFull(made: MadeRecords, { full, plain }: Trial): MadeRecords {
  const set = listChanged(full, made.full);
  const same = Object.keys(full).filter((name) => !set.includes(name));
  const differing = set.filter((name) => isUnique(full[name]) && Object.hasOwn(made.minimal, name));
  return {
    ...made,
    minimal: { ...made.minimal, ...pick(full, differing) },
    full,
    plain,
    other: { ...pick(made.other, same), ...pick(full, set) },
    changed: made.changed.filter((name) => same.includes(name)),
  };
}

export function withOther(made: MadeRecords, { full, plain }: Trial): MadeRecords {
  const own = made.changed.filter(
    (name) => sameJson(full[name], made.other[name]) && !sameJson(plain[name], made.plain[name]),
  );
  return { ...made, other: full, changed: own };
}

export function otherOf({ other, plain }: MadeRecords): Trial {
  const values = Object.entries(other).map(([name, value]) => {
    const shown = typeof value === 'string' ? fillUnique(value) : value;
    return [name, shown === undefined || comesFromAnswer(value) ? plain[name] : shown];
  });
  return { full: other, plain: Object.fromEntries(values) as RecordTemplate };
}

function listChanged(now: RecordTemplate, before: RecordTemplate): string[] {
  return Object.keys(now).filter((name) => !sameJson(now[name], before[name]));
}

export function withoutReference(binding: Binding, id: string): Binding | undefined {
  const { made, scope } = binding;
  const refers = (value: unknown): boolean => printJson(value).includes(`$scenarios.${id}.outputs.`);
  if (!made.dependsOn.includes(id) || refers(made.minimal) || refers(scope)) return undefined;
  const left = Object.keys(made.full).filter((name) => refers(made.full[name]) || refers(made.other[name]));
  const drop = (record: RecordTemplate): RecordTemplate =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !left.includes(name)));
  const isOther = (each: string): boolean => each !== id;
  return {
    ...binding,
    dependsOn: binding.dependsOn.filter(isOther),
    made: {
      ...made,
      full: drop(made.full),
      plain: drop(made.plain),
      other: drop(made.other),
      kinds: made.kinds.filter(({ full }) => !refers(full)),
      changed: made.changed.filter((name) => !left.includes(name)),
      dependsOn: made.dependsOn.filter(isOther),
    },
  };
}
