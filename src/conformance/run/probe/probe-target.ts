import { PetstoreMockError } from '../../../errors.js';
import { asList } from '../../judge/pets.js';
import { isOfRequest } from '../../judge/status.js';
import { nameKey, readContractValues } from '../../wire/request/contract-values.js';
import { hasBegun, type Unanswered, type WireAnswer } from '../../model/wire.js';
import { bareStep, NOTHING_KNOWN } from '../../wire/request/bare-step.js';
import { findApi } from './find-api.js';
import { judgeFirstLook, listFirstSteps } from './probe-any.js';
import { prepareRequest } from '../../wire/request/prepare-request.js';
import { readBody } from '../read-answer.js';
import type { Run } from '../run.js';
import type { Step } from '../../model/scenario.js';
import { pause } from '../../wire/http/send-politely.js';
import { remember } from '../../judge/target-memory.js';
import { isJsonNumber } from '../../../contract/numbers/decimal.js';

export interface ProbeOptions {
  /** How long to wait for the target to answer at all, in milliseconds. Default: not. */
  waitForTargetMs?: number | undefined;
  /** The category given by the user. */
  categoryId?: unknown;
  /** The target's name in messages. */
  shownAs: string;
}

const RETRY_PAUSE_MS = 250;

/**
 * A first look at the target before anything is judged: whether it answers, is the
 * API, and accepts the key, and which category a pet can have. Throws a {@link PetstoreMockError}.
 */
export async function probeTarget(run: Run, options: ProbeOptions): Promise<void> {
  if (run.contract.operations.every(({ id }) => id !== LIST.operationId)) return probeAny(run, options);
  const { largestPage: longest } = readContractValues(run.contract).limit;
  const list = { ...LIST, parameters: longest === undefined ? {} : { limit: longest } };
  const answer = await reach(run, list, options);
  if (await isKeyRefused(answer, run)) {
    throw new PetstoreMockError(
      'key-refused',
      `${options.shownAs} refuses the API key for every operation; give a valid one with --api-key-file or PETSTORE_API_KEY.`,
    );
  }
  if (isUnavailable(answer) && isUnavailable(await askForOne(run))) throw describeUnreachable(answer, options);
  const { basePath } = run.prepareOptions;
  const place = {
    shownAs: options.shownAs,
    basePath,
    contractPath: run.contract.basePath.replace(/\/+$/, ''),
    paths: { list: pathOf(LIST, run), one: pathOf(GET, run) },
  };
  const asker = {
    listBelow: (path: string) => ask(run, list, path),
    get: () => askForOne(run),
    listWithoutKey: () => ask(run, { ...list, auth: 'missing' }),
  };
  await findApi(answer, asker, place);
  run.shared.offer(prepareRequest(list, NOTHING_KNOWN, run.prepareOptions).wire, answer);
  // What is wrong with the largest page need not be wrong with the usual one.
  const shown = answer.kind === 'answered' && isOfRequest(answer.status) ? await ask(run, LIST) : answer;
  const body = readList(shown);
  if (shown.kind === 'answered') remember(run.memory, { body, status: shown.status });
  const [commonest, next] = listCategories(body);
  if (options.categoryId !== undefined) run.memory.category = { id: options.categoryId, source: 'given' };
  else if (commonest !== undefined) run.memory.category = { id: commonest, source: 'seen' };
  run.memory.otherCategory = options.categoryId ?? next;
}

async function probeAny(run: Run, options: ProbeOptions): Promise<void> {
  const steps = listFirstSteps(run);
  const [first = bareStep({ id: 'probe' })] = steps;
  const answer = await reach(run, first, options);
  const [, second] = steps;
  if (second !== undefined && isUnavailable(answer) && isUnavailable(await ask(run, second)))
    throw describeUnreachable(answer, options);
  if (steps.length > 0)
    await judgeFirstLook(steps, answer, (step, path) => ask(run, step, path), { shownAs: options.shownAs, run });
}

async function reach(run: Run, list: Step, options: ProbeOptions): Promise<WireAnswer> {
  const deadline = performance.now() + (options.waitForTargetMs ?? 0);
  for (;;) {
    const answer = await ask(run, list);
    if (hasBegun(answer) && !(answer.kind === 'answered' && answer.status >= 502 && performance.now() < deadline))
      return answer;
    if (performance.now() >= deadline || run.signal.aborted) {
      if (await isOfOne(answer, run)) return answer;
      throw describeUnreachable(answer, options);
    }
    await pause(RETRY_PAUSE_MS, run.signal);
  }
}

/** Whether one operation alone gets no answer, since the target answers another address: a defect, and no outage. */
async function isOfOne(answer: WireAnswer, run: Run): Promise<boolean> {
  const isConnected = answer.kind === 'unanswered' && ['dropped', 'no-http', 'timeout'].includes(answer.reason);
  return isConnected && (await ask(run, bareStep({ id: 'probe' }))).kind === 'answered';
}

function describeUnreachable(answer: WireAnswer, { shownAs, waitForTargetMs }: ProbeOptions): PetstoreMockError {
  const why = answer.kind === 'unanswered' ? explain(answer, shownAs) : `it answers ${answer.status} to every request`;
  const waited = waitForTargetMs === undefined ? '' : `, after waiting ${waitForTargetMs / 1000} s`;
  return new PetstoreMockError('target-unreachable', `${shownAs} cannot be tested: ${why}${waited}.`);
}

/** Where TLS is spoken, a plain request is dropped, or answered with what is no HTTP. */
function explain({ reason, detail }: Unanswered, shownAs: string): string {
  const mayBeTls = (reason === 'dropped' || reason === 'no-http') && shownAs.startsWith('http:');
  return mayBeTls ? `${detail} (should the URL begin with https://?)` : detail;
}

/** Whether nothing is served just now: what stands before the API says so, or the API allows no more requests. */
function isUnavailable(answer: WireAnswer): boolean {
  return answer.kind === 'answered' && [429, 502, 503, 504].includes(answer.status);
}

/** The run ends only if no operation accepts the key; if a single operation refuses it, that is a problem of the operation. */
async function isKeyRefused(answer: WireAnswer, run: Run): Promise<boolean> {
  if (!isRefusal(answer)) return false;
  return isRefusal(await askForOne(run));
}

function isRefusal(answer: WireAnswer): boolean {
  return answer.kind === 'answered' && (answer.status === 401 || answer.status === 403);
}

/** The path of an operation in the contract, which has at least the list. */
function pathOf({ operationId }: Pick<Step, 'operationId'>, { contract }: Run): string {
  return contract.operations.find(({ id }) => id === operationId)?.path ?? '/';
}

function askForOne(run: Run): Promise<WireAnswer> {
  return ask(run, { ...GET, parameters: { [nameKey(run.contract, 'getPet')]: 1 } });
}

async function ask(run: Run, step: Step, basePath = run.prepareOptions.basePath): Promise<WireAnswer> {
  return run.send(prepareRequest(step, NOTHING_KNOWN, { ...run.prepareOptions, basePath }).wire);
}

function readList(answer: WireAnswer): unknown {
  const body = readBody(answer);
  return answer.kind === 'answered' && answer.status === 200 && body.kind === 'json' ? body.value : undefined;
}

/** The categories of a list, the most frequent first: they are the likeliest to stay. */
function listCategories(body: unknown): unknown[] {
  const counts = new Map<unknown, number>();
  for (const { categoryId } of asList(body) ?? []) {
    if (isJsonNumber(categoryId)) counts.set(categoryId, (counts.get(categoryId) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([category]) => category);
}

const LIST = bareStep({ id: 'probe', operationId: 'listPets' });
const GET = bareStep({ id: 'probe', operationId: 'getPet' });
