// What a record says of other records: the keys of those that the run has created.
import { plainName } from '../../../contract/resources/words.js';
import type { Subject } from '../subject.js';
import { putAt, type Reference } from '../keys/references.js';
import { creatorOf, type RecordTemplate } from './made-records.js';

/**
 * The key of an existing record, in place of one that the contract made up. References to the record's own kind are
 * left out where they may be.
 */
export function refer(
  record: RecordTemplate,
  {
    referred,
    subject,
    required,
  }: { referred: ReadonlyMap<string, readonly Reference[]>; subject: Subject; required: ReadonlySet<string> },
): RecordTemplate {
  const entries = Object.entries(record).flatMap(([name, value]) => {
    const references = referred.get(name) ?? [];
    const isOfOwnKind = references.some(({ path, to }) => path.length === 0 && to === subject);
    if (isOfOwnKind && !required.has(name) && subject.roles.create !== undefined) return [];
    const others = references.filter(({ to }) => to.roles.create !== undefined && to !== subject);
    return [
      [name, others.reduce((each, { path, to }) => putAt(each, path, (old) => referTo(to, old)), value)] as const,
    ];
  });
  return Object.fromEntries(entries);
}

function referTo(other: Subject, before: unknown): string {
  const { id, output } = creatorOf(other);
  const reference = `$scenarios.${id}.outputs.${output}`;
  return other.resource.key.kind === 'integer' && typeof before === 'string' ? `{${reference}}` : reference;
}

/** The values of the parameters in the path of a resource. */
export type ScopeValues = Readonly<Record<string, string>>;

/** Where a record is created below others, what it says of them is what the path says: another key would contradict it. */
export function nameScope(record: RecordTemplate, subject: Subject, scope: ScopeValues): RecordTemplate {
  const isCounted = subject.parent?.resource.key.kind === 'integer';
  const entries = Object.entries(record).map(([name, value]) => {
    const own = findScope(name, subject, scope);
    if (own === undefined) return [name, value];
    if (typeof value === 'string') return [name, `{${own}}`];
    return [name, name === subject.resource.parent?.property && isCounted ? own : value];
  });
  return Object.fromEntries(entries) as RecordTemplate;
}

/** The value in the path that a property repeats, by its name. */
export function findScope(name: string, { resource }: Subject, scope: ScopeValues): string | undefined {
  const { key, parent } = resource;
  if (name === key.property) return undefined;
  if (name === parent?.property) return scope[parent.parameter];
  const parameter = Object.keys(scope).find((each) => plainName(each) === plainName(name) && plainName(each) !== 'id');
  return parameter === undefined ? undefined : scope[parameter];
}
