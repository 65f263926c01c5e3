// Keys of other records that a service shows: where it refuses those that a run makes up, there may be no others.
import { escape } from '../../wire/request/template.js';
import { isSecretName } from '../../../redact/secret-names.js';
import { readShown } from '../../ledger/shown-records.js';
import { readBody } from '../../wire/http/read-body.js';
import { askRole } from '../../confirm/ask-role.js';
import type { Run } from '../run.js';
import type { Binding } from '../../subjects/binding.js';
import { leastOf, type Trial } from '../../subjects/records/remake.js';

const KEY_OF_ANOTHER = /(?:^|[_-])(?:id|ref|fk)$|[a-z\d](?:Id|ID|Ref|Fk)$/;

/** `categoryId`, `owner_id`, `fk`; not `paid`, nor what may be secret, such as `api_key`. */
export function isKeyOfAnother(name: string): boolean {
  return KEY_OF_ANOTHER.test(name) && !isSecretName(name);
}

/** The smallest record with the keys of others that the first record of the list has; nothing if there are none of them. */
export async function takeShown({ subject, made }: Binding, run: Run): Promise<Trial[]> {
  const { list } = subject.roles;
  const { full, plain } = leastOf(made);
  const names = Object.keys(full).filter((name) => isKeyOfAnother(name) && name !== subject.resource.key.property);
  if (list === undefined || subject.resource.scope.length > 0 || names.length === 0) return [];
  const answer = await askRole(list, {}, run);
  const body = answer.kind === 'answered' && answer.status <= 299 ? readBody(answer) : undefined;
  if (body?.kind !== 'json') return [];
  const [first] = readShown({ subject, role: list }, body.value);
  const shown = names.filter((name) => ['number', 'bigint', 'string'].includes(typeof first?.record[name]));
  if (shown.length === 0) return [];
  const taken = Object.fromEntries(shown.map((name) => [name, first?.record[name]]));
  const escaped = Object.fromEntries(Object.entries(taken).map(([name, value]) => [name, escape(value)]));
  return [{ full: { ...full, ...escaped }, plain: { ...plain, ...taken } }];
}
