import { followPointer } from '../../model/follow-pointer.js';
import type { OwnDoubt } from '../../model/doubt.js';
import type { SentRequest } from '../../model/sent-request.js';
import { sameJson } from '../../../contract/document/same-json.js';
import { asObject } from '../../../contract/document/plain.js';
import { nameChoice } from '../../judge/own-memory.js';
import { readSubjects, recordAt } from '../../subjects/subject.js';
import { askRole } from '../guest/ask-role.js';
import { withoutKey } from '../guest/guests.js';
import { readBody } from '../read-answer.js';
import type { Run } from '../run.js';
import type { Look } from './look.js';

/** Scenarios that create records without a word of what only the service decides, before all others. */
const PLAIN = ['records/create-full', 'records/create'];

/**
 * Distinguishes a read-only value that a client made from one that a service comes to by itself: then it is that of a record, too, for
 * which nobody sent it, and which is older.
 */
export async function judgeOwn({ field, value }: OwnDoubt, { operation, path }: SentRequest, run: Run): Promise<Look> {
  const subject = readSubjects(run.contract).find(({ roles }) => roles.get?.operation.id === operation?.id);
  const get = subject?.roles.get;
  if (subject === undefined || get === undefined) return 'defect';
  const needs = `a service that does not come by itself to the value of \`${field}\` that was sent`;
  if (run.memory.ownChoices.has(nameChoice(subject, field, value))) return { needs };
  for (const file of PLAIN) {
    const key = run.outputs.get(`${subject.name}/${file}`)?.['key'];
    if (key === undefined) continue;
    const parameters = { ...withoutKey(path, subject), [subject.resource.key.parameter]: key };
    const body = readBody(await askRole(get, parameters, run));
    const record = body.kind === 'json' ? asObject(followPointer(body.value, recordAt(get) ?? '')) : {};
    if (sameJson(record[field], value)) return { needs };
  }
  return 'defect';
}
