// What is asked where the record on which a scenario builds could not be created: all that only reads, of a record that is there.
import type { Contract } from '../../../contract/contract.js';
import { printJson } from '../../../contract/document/json.js';
import { readShown } from '../../judge/own-memory.js';
import { resourceOf } from '../../model/resource-of.js';
import type { Scenario, Step } from '../../model/scenario.js';
import { readSubjects } from '../../subjects/subject.js';
import { escape } from '../../wire/request/template.js';
import { askRole } from '../guest/ask-role.js';
import { readBody } from '../read-answer.js';
import type { Run } from '../run.js';

/** The key of a record that is there; `undefined` where a list shows none. */
export type FindKey = (creator: string, run: Run) => Promise<unknown>;

/** Reads each list once. */
export function createFindKey(): FindKey {
  const keys = new Map<string, Promise<unknown>>();
  return (creator, run) => {
    const name = resourceOf(creator);
    const found = keys.get(name) ?? readFirstKey(name, run);
    keys.set(name, found);
    return found;
  };
}

async function readFirstKey(name: string, run: Run): Promise<unknown> {
  const subject = readSubjects(run.contract).find((each) => each.name === name);
  const list = subject?.roles.list;
  if (subject === undefined || list === undefined || subject.resource.scope.length > 0) return undefined;
  const answer = await askRole(list, {}, run);
  const body = answer.kind === 'answered' && answer.status <= 299 ? readBody(answer) : undefined;
  return body?.kind === 'json' ? readShown({ subject, role: list }, body.value)[0]?.key : undefined;
}

/**
 * A scenario without what these creates were to give; `undefined` if it really builds on it. Nothing that is there is changed: what
 * is left only reads, or is refused for its credentials.
 *
 * @example `known: GET $records.create.key; unknown: GET $unknownKey` asks for the first record of the list, and for the unknown.
 */
export async function askWithoutRecord(
  scenario: Scenario,
  creators: readonly string[],
  find: FindKey,
  run: Run,
): Promise<Scenario | undefined> {
  if (!scenario.isShipped || !scenario.steps.every((step) => isHarmless(step, run.contract))) return undefined;
  let { steps } = scenario;
  let isOfOther = false;
  for (const creator of creators) {
    const reference = `$scenarios.${creator}.outputs.key`;
    const asks = (step: Step): boolean => printJson(step).includes(reference);
    if (!steps.some(asks)) continue;
    const key = await find(creator, run);
    // Without a record, there is nothing to show that the operation serves any.
    steps =
      key === undefined
        ? steps.filter((step) => !step.control || !asks(step))
        : steps.map((step) => putKey(step, reference, key) as Step);
    isOfOther ||= key !== undefined;
  }
  steps = steps.map((step) => leaveSent(step, creators) as Step);
  const left = printJson(steps);
  const isBuilt = creators.some((creator) => left.includes(`$scenarios.${creator}.outputs.`));
  if (steps.length === 0 || isBuilt) return undefined;
  const title = isOfOther ? `${scenario.title} (asked of one that was there)` : scenario.title;
  return { ...scenario, title, steps, dependsOn: scenario.dependsOn.filter((each) => !creators.includes(each)) };
}

function isHarmless(step: Step, { operations }: Contract): boolean {
  const method = step.request?.method ?? operations.find(({ id }) => id === step.operationId)?.method ?? '';
  if (method === 'GET' || method === 'HEAD') return true;
  // At a new address: with a key in the path, it would be about what is there.
  const isRefused = step.auth === 'missing' || step.auth === 'wrong';
  return method === 'POST' && isRefused && !printJson(step.parameters).includes('.outputs.');
}

function putKey(value: unknown, reference: string, key: unknown): unknown {
  if (value === reference) return escape(key);
  if (typeof value === 'string') return value.replaceAll(`{${reference}}`, String(key));
  return mapMembers(value, (inside) => putKey(inside, reference, key));
}

/** What was sent cannot be compared, since nothing was. */
function leaveSent(value: unknown, creators: readonly string[]): unknown {
  const isOfSent = (inside: unknown): boolean =>
    creators.some((creator) => inside === `$scenarios.${creator}.outputs.sent`);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Array.isArray(value)
    ? (value as unknown[])
    : Object.fromEntries(Object.entries(value).filter(([name, inside]) => name !== 'like' || !isOfSent(inside)));
  return mapMembers(kept, (inside) => leaveSent(inside, creators));
}

function mapMembers(value: unknown, change: (inside: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, change(inside)]));
}
