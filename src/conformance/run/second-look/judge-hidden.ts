import { followPointer } from '../../model/follow-pointer.js';
import { asObject } from '../../../contract/document/plain.js';
import { hasListed } from '../../judge/own-memory.js';
import type { SentRequest } from '../../model/sent-request.js';
import { isHiddenState, listStates, readLeftOut, stateOf } from '../../subjects/hidden.js';
import { readSubjects, recordAt } from '../../subjects/subject.js';
import { askRole } from '../guest/ask-role.js';
import { withoutKey } from '../guest/guests.js';
import { readBody } from '../read-answer.js';
import type { Run } from '../run.js';
import type { Look } from './look.js';

/**
 * Distinguishes a record that a list has lost from one that it leaves out on purpose: that one can be fetched, and no list has
 * shown a record in its state.
 *
 * @example `state: draft` is in no list, `state: public` is, and GET shows the draft: it is not lost.
 */
export async function judgeHidden(id: unknown, { operation, path }: SentRequest, run: Run): Promise<Look> {
  const subject = readSubjects(run.contract).find(({ roles }) => roles.list?.operation.id === operation?.id);
  const get = subject?.roles.get;
  if (subject === undefined || get === undefined) return 'defect';
  const { parameter } = subject.resource.key;
  const answer = await askRole(get, { ...withoutKey(path, subject), [parameter]: id }, run);
  const body = readBody(answer);
  if (answer.kind === 'unanswered' || answer.status > 299 || body.kind !== 'json') return 'defect';
  const record = asObject(followPointer(body.value, recordAt(get) ?? ''));
  const said = readLeftOut(subject, run.contract);
  const states = new Set(listStates(run.contract)(subject));
  const isNew = (name: string): boolean => {
    const state = stateOf(name, record[name]);
    return state !== undefined && !hasListed(subject, state, run.memory);
  };
  const found = Object.keys(record).find(
    (name) => isNew(name) && (isHiddenState(name, record[name]) || (said.fields.has(name) && states.has(name))),
  );
  const needs = 'a list that leaves no record out';
  if (found !== undefined)
    return { needs: `${needs}: it has shown none with ${stateOf(found, record[found]) ?? found}` };
  if (!said.ofList) return 'defect';
  const own = Object.keys(record).filter((name) => states.has(name));
  const isOfState = own.length === 0 ? !hasListed(subject, undefined, run.memory) : own.some(isNew);
  return isOfState ? { needs: `${needs}, as the contract says that it does` } : 'defect';
}
