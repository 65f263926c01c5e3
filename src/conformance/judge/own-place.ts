// What an answer says of the place of a record: its address, and the record that it belongs to.
import { readLocationKey, readSegment } from '../wire/http/read-location.js';
import { plainName } from '../../contract/resources/words.js';
import type { RoleOperation } from '../../contract/resources/resource.js';
import type { Subject } from '../subjects/subject.js';
import { answered, type CheckContext, type CheckFinding } from './check.js';
import type { ShownRecord } from '../ledger/shown-records.js';
import { isSameKey } from './record-like.js';
import { show } from './shown.js';

/** A 201 with an address gives that of the record that was created (RFC 9110 section 15.3.2), not that of another. */
export function judgeLocation(
  [created]: readonly ShownRecord[],
  subject: Subject,
  context: CheckContext,
): CheckFinding[] {
  const answer = answered(context);
  const location = answer?.status === 201 ? answer.headers['location'] : undefined;
  const path = subject.roles.get?.operation.path;
  if (location === undefined || created === undefined || path === undefined) return [];
  const key = readLocationKey(location);
  if (key === undefined) return [];
  const isOfRecord = isNamedBy(key, created);
  if (isOfRecord ? !isElsewhere(location, key, context) : !isBelow(location, path)) return [];
  return [
    {
      rule: 'location',
      at: 'header/location',
      expected: `the address of the record that was created, ${show(created.key)}`,
      actual: show(location),
      contractPointer: context.sent.operation?.pointer,
      resource: subject.name,
      ...(isOfRecord ? { doubt: { kind: 'address' as const, id: created.key, of: subject.name, location } } : {}),
    },
  ];
}

/**
 * Whether an address at the same host is another than the collection's own with the key behind it. One at another host may be what
 * clients outside see, and a gateway may put the base before what a service knows.
 */
function isElsewhere(location: string, key: string, { sent: { operation, path, target } }: CheckContext): boolean {
  if (operation === undefined || target === undefined || !/^\/(?!\/)/.test(location)) return false;
  const above = splitPath(location).slice(0, -1);
  if (!`/${splitPath(target).join('/')}`.endsWith(`/${above.join('/')}`)) return true;
  // A PUT names the record itself.
  const collection = operation.path.replace(/\/\{[^/]*\}$/, '');
  const wanted = [...splitPath(collection).map((part) => fillPart(part, path)), key];
  const given = splitPath(location).map(readSegment);
  return wanted.some((part, index) => !isSameKey(part, given[given.length - wanted.length + index]));
}

function splitPath(path: string): string[] {
  return path
    .replace(/[?#].*$/s, '')
    .split('/')
    .filter((part) => part !== '');
}

/** What a part of a template is in the address that was asked for. */
function fillPart(part: string, values: CheckContext['sent']['path']): string {
  return part.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => String(values[name]));
}

/** Whether an address is one of a record of the resource, or that of the collection: another one may be anything. */
function isBelow(location: string, path: string): boolean {
  const [before = '', ...behind] = splitPath(path).toReversed();
  const collection = behind.find((part) => !part.startsWith('{'));
  if (!before.startsWith('{') || behind[0] !== collection) return false;
  const parts = splitPath(location);
  return parts.at(-2) === collection || parts.at(-1) === collection;
}

/** Whether a text in an address is a value by which a record may be asked for: its key, or another name that it shows. */
function isNamedBy(text: string, { key, record }: ShownRecord): boolean {
  const bare = text.replace(/\.(?:json|xml)$/i, '');
  return [key, ...Object.values(record)].some((value) => isSameKey(value, text) || isSameKey(value, bare));
}

/** A record that is asked for below another says that one's key, where it repeats the parameter of the path. */
export function judgeParent(
  shown: readonly ShownRecord[],
  { subject, role }: { subject: Subject; role: RoleOperation },
  context: CheckContext,
): CheckFinding[] {
  const { parent, key } = subject.resource;
  const { parameter = '', property } = parent ?? {};
  const asked = context.sent.path[parameter];
  // One called `id` may be anything.
  if (property === undefined || property === key.property || asked === undefined || plainName(parameter) === 'id')
    return [];
  if (plainName(property) !== plainName(parameter) || role.role === 'remove') return [];
  const found = shown.find(({ record }) => isOfAnother(record[property], asked));
  if (found === undefined) return [];
  return [
    {
      rule: 'parent',
      at: `${found.at}/${property}`,
      expected: `${show(asked)}, the key in the path`,
      actual: show(found.record[property]),
      contractPointer: `${role.operation.pointer}/responses`,
      resource: subject.name,
    },
  ];
}

/** A name in the path may stand for a number in the record. */
function isOfAnother(value: unknown, asked: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return false;
  const isNumber = (each: unknown): boolean => /^\d+$/.test(String(each));
  return isNumber(value) === isNumber(asked) && !isSameKey(value, asked);
}
