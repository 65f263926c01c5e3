import { readSubjects } from '../../subjects/subject.js';
import { askRole } from '../guest/ask-role.js';
import type { Run } from '../run.js';
import type { Look } from './look.js';

/** Distinguishes a list that leaves out a record from a service that keeps none for long: then the record is nowhere. */
export async function judgeGone({ id, of }: { id: unknown; of: string }, run: Run): Promise<Look> {
  const subject = readSubjects(run.contract).find(({ name }) => name === of);
  const needs = 'a service that stores created records, and returns them';
  if (subject?.roles.get === undefined) return { needs };
  const answer = await askRole(subject.roles.get, { [subject.resource.key.parameter]: id }, run);
  const isThere = answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;
  return isThere ? 'defect' : { needs };
}
