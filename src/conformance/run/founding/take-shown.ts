// Keys of other records that a service shows: where it refuses those that a run makes up, there may be no others.
import { comesFromAnswer, escape } from '../../wire/request/template.js';
import { isSecretName } from '../../../redact/secret-names.js';
import { readShown, type ShownRecord } from '../../ledger/shown-records.js';
import { readBody } from '../../wire/http/read-body.js';
import { askRole } from '../../confirm/ask-role.js';
import type { Run } from '../run.js';
import type { Binding } from '../../subjects/binding.js';
import { findReferred, readSubjects, type Subject } from '../../subjects/subject.js';
import { leastOf, type Trial } from '../../subjects/records/remake.js';

const KEY_OF_ANOTHER = /(?:^|[_-])(?:id|ref|fk)$|[a-z\d](?:Id|ID|Ref|Fk)$/;

/** `categoryId`, `owner_id`, `fk`; not `paid`, nor what may be secret, such as `api_key`. */
export function isKeyOfAnother(name: string): boolean {
  return KEY_OF_ANOTHER.test(name) && !isSecretName(name);
}

/** The smallest record with keys of others that there are: as the first record of its list has them, else of the lists of those. */
export async function takeShown({ subject, made, contract }: Binding, run: Run): Promise<Trial[]> {
  const { full, plain } = leastOf(made);
  const own = await readFirst(subject, run);
  const others = readSubjects(contract);
  const taken: Record<string, unknown> = {};
  for (const name of Object.keys(full)) {
    if (name === subject.resource.key.property || comesFromAnswer(full[name]) || isSecretName(name)) continue;
    const field = subject.fields.find((each) => each.name === name);
    const other = field === undefined ? undefined : findReferred(field, subject, others);
    if (other === undefined && !isKeyOfAnother(name)) continue;
    const shown = own?.record[name] ?? (other === undefined ? undefined : (await readFirst(other, run))?.key);
    if (['number', 'bigint', 'string'].includes(typeof shown)) taken[name] = shown;
  }
  if (Object.keys(taken).length === 0) return [];
  const escaped = Object.fromEntries(Object.entries(taken).map(([name, value]) => [name, escape(value)]));
  return [{ full: { ...full, ...escaped }, plain: { ...plain, ...taken } }];
}

/** The first record that a list shows. */
async function readFirst(subject: Subject, run: Run): Promise<ShownRecord | undefined> {
  const { list } = subject.roles;
  if (list === undefined || subject.resource.scope.length > 0) return undefined;
  const answer = await askRole(list, {}, run);
  const body = answer.kind === 'answered' && answer.status <= 299 ? readBody(answer) : undefined;
  return body?.kind === 'json' ? readShown({ subject, role: list }, body.value)[0] : undefined;
}
