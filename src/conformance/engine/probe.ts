import { hasBegun, Literal, type Answered, type WireAnswer } from '../model/exchange.js';
import { PetstoreMockError } from '../../errors.js';
import { bareStep, NOTHING_KNOWN, prepareRequest } from '../http/prepare-request.js';
import { Unsendable, describeSchemes, describeUnasked } from '../http/request-credentials.js';
import type { Run } from './run.js';
import type { Step } from '../model/scenario.js';
import { pause } from '../http/send-politely.js';
import { parseAnswer } from '../http/read-response.js';
import type { Contract } from '../../contract/contract.js';
import type { Operation } from '../../contract/model.js';
import { findResponse } from '../../contract/operations/operations.js';
import { readProperties } from '../../contract/operations/properties.js';
import { readSubjects } from '../resources/resource-under-test.js';

interface ProbeOptions {
  /** How long to wait for the target to answer at all, in milliseconds. Default: not. */
  waitForTargetMs?: number | undefined;
  shownAs: string;
}

const RETRY_PAUSE_MS = 250;

/** Whether the target answers, is the API, and accepts the key. Throws a {@link PetstoreMockError}. */
export async function probeTarget(run: Run, options: ProbeOptions): Promise<void> {
  const { contract } = run;
  const subjects = readSubjects(contract);
  const lists = subjects.flatMap(({ roles }) => roles.list?.operation ?? []);
  const isPlain = ({ method, path, parameters }: Operation): boolean =>
    method === 'GET' && !path.includes('{') && parameters.every(({ required }) => !required);
  const all = [...lists, ...contract.operations].filter(isPlain);
  const ownFirst = all.toSorted((a, b) => Number(a.server !== undefined) - Number(b.server !== undefined));
  const plain = [...new Set(ownFirst)].map(({ id }) => bareStep({ id: 'probe', operationId: id }));
  const records = subjects.flatMap(({ roles: { get }, resource: { key, scope } }) => {
    const missing = get === undefined || scope.length > 0 ? undefined : findResponse(get.operation, 404);
    if (get === undefined || !missing?.content.some(({ schemaPointer }) => schemaPointer !== undefined)) return [];
    return bareStep({ id: 'probe', operationId: get.operation.id, parameters: { [key.parameter]: 1_999_999_973 } });
  });
  const steps = [...plain, ...(plain.length === 0 ? [] : records)].filter((step) => mayAsk(step, run)).slice(0, 3);
  const [first = bareStep({ id: 'probe' }), second = first] = steps;
  const answer = await reach(run, first, options);
  if (isUnavailable(answer) && isUnavailable(await ask(run, second))) throw describeUnreachable(answer, options);
  if (steps.length > 0)
    await checkFirstLook(steps, answer, (step, path) => ask(run, step, path), { shownAs: options.shownAs, run });
}

export async function logIn(run: Run, options: ProbeOptions): Promise<void> {
  const deadline = performance.now() + (options.waitForTargetMs ?? 0);
  for (;;) {
    const missing = await run.credentials.start(run.send);
    if (missing === undefined) return;
    if (performance.now() >= deadline || run.signal.aborted) throw describeUnreachable(missing, options);
    await pause(RETRY_PAUSE_MS, run.signal);
  }
}

async function reach(run: Run, list: Step, options: ProbeOptions): Promise<WireAnswer> {
  const deadline = performance.now() + (options.waitForTargetMs ?? 0);
  for (;;) {
    const answer = await ask(run, list);
    if (hasBegun(answer) && !(answer.kind === 'answered' && answer.status >= 502 && performance.now() < deadline))
      return answer;
    if (performance.now() >= deadline || run.signal.aborted) {
      // One operation alone gets no answer, since the target answers another address: a defect, and no outage.
      const isConnected = answer.kind === 'unanswered' && ['dropped', 'no-http', 'timeout'].includes(answer.reason);
      if (isConnected && (await ask(run, bareStep({ id: 'probe' }))).kind === 'answered') return answer;
      throw describeUnreachable(answer, options);
    }
    await pause(RETRY_PAUSE_MS, run.signal);
  }
}

function describeUnreachable(answer: WireAnswer, { shownAs, waitForTargetMs }: ProbeOptions): PetstoreMockError {
  let why = answer.kind === 'unanswered' ? answer.detail : `it responds with ${answer.status} to every request`;
  // Where TLS is spoken, a plain request is dropped, or answered with what is no HTTP.
  if (answer.kind === 'unanswered' && ['dropped', 'no-http'].includes(answer.reason) && shownAs.startsWith('http:'))
    why += ' (should the URL begin with https://?)';
  const waited = waitForTargetMs === undefined ? '' : `, after waiting ${waitForTargetMs / 1000} s`;
  return new PetstoreMockError('target-unreachable', `${shownAs} cannot be tested: ${why}${waited}.`);
}

function isUnavailable(answer: WireAnswer): boolean {
  return answer.kind === 'answered' && [429, 502, 503, 504].includes(answer.status);
}

function mayAsk(step: Step, { prepareOptions, isNever }: Run): boolean {
  try {
    return !isNever(prepareRequest(step, NOTHING_KNOWN, prepareOptions).wire);
  } catch (error) {
    if (error instanceof Unsendable) return false;
    throw error;
  }
}

async function ask(run: Run, step: Step, basePath = run.prepareOptions.basePath): Promise<WireAnswer> {
  return run.send(prepareRequest(step, NOTHING_KNOWN, { ...run.prepareOptions, basePath }).wire);
}

/** Throws a {@link PetstoreMockError} where every one of the answers shows that the key, or the API, is not right. */
export async function checkFirstLook(
  steps: readonly Step[],
  first: WireAnswer,
  askStep: (step: Step, basePath?: string) => Promise<WireAnswer>,
  { shownAs, run }: { shownAs: string; run: Run },
): Promise<void> {
  const answers = [first];
  for (const step of steps.slice(1)) {
    if (answers.some((answer) => !isRefusal(answer) && !isForeign(answer))) return;
    answers.push(await askStep(step));
  }
  if (answers.every(isRefusal)) {
    const unasked = describeUnasked(run.prepareOptions.keys.credentials, run.contract);
    const why = unasked === undefined ? '' : `${unasked.charAt(0).toUpperCase()}${unasked.slice(1)}. `;
    const what = `${shownAs} rejects the credentials for every operation that was tried; give valid ones.`;
    throw new PetstoreMockError('key-refused', `${what} ${why}${describeSchemes(run.contract)}`.trimEnd());
  }
  if (!answers.every(isForeign)) return;
  const contractPath = run.contract.basePath.replace(/\/+$/, '');
  const { basePath } = run.prepareOptions;
  const [step] = steps;
  const path = contractPath === basePath ? undefined : contractPath;
  if (step !== undefined && path !== undefined && !isForeign(await askStep(step, path))) {
    const there = `${new URL(shownAs).origin}${path}`;
    throw wrongTarget(`${shownAs} is not the base URL of the API, which responds at ${there}; try --target ${there}`);
  }
  if (answers.some((answer, index) => isOwnError(answer, steps[index], run.contract))) return;
  const slashed = describeSlashes(steps, answers, shownAs, run.contract);
  if (slashed !== undefined) throw wrongTarget(slashed);
  const moved = step === undefined ? undefined : findMoved(step, answers, shownAs, run.contract);
  if (moved !== undefined)
    throw wrongTarget(`${shownAs} redirects every request, for example to ${moved.to}; try --target ${moved.base}`);
  const asked = steps.map(({ operationId }) => operationId).join(', ');
  const seen = `${asked} returned ${answers.map(describeAnswer).join(', ')}`;
  const help = 'give the base URL to which the paths of the contract are appended';
  throw wrongTarget(`the API is not at ${shownAs}: ${seen}; ${help}`);
}

function isRefusal(answer: WireAnswer): boolean {
  return answer.kind === 'answered' && (answer.status === 401 || answer.status === 403);
}

function isOwnError(answer: WireAnswer, step: Step | undefined, { operations, document, validate }: Contract): boolean {
  const operation = operations.find(({ id }) => id === step?.operationId);
  if (answer.kind === 'unanswered' || answer.status < 400 || operation === undefined) return false;
  const stated = [findResponse(operation, answer.status), findResponse(operation, 404)];
  const schemas = stated.flatMap((each) => each?.content ?? []).flatMap(({ schemaPointer }) => schemaPointer ?? []);
  const body = parseAnswer(answer.bytes);
  const isTelling = (pointer: string): boolean => readProperties(document, pointer).some(({ required }) => required);
  return body.ok && schemas.filter(isTelling).some((pointer) => validate.value(pointer, body.value).length === 0);
}

/** What stands behind a path may be secret. */
function describeAnswer(answer: WireAnswer): string {
  if (answer.kind === 'unanswered') return 'nothing';
  const to = isRedirect(answer) ? answer.headers['location'] : undefined;
  return to === undefined ? String(answer.status) : `${answer.status} to ${to.replace(/[?#].*$/s, '')}`;
}

function findMoved({ operationId }: Step, answers: readonly WireAnswer[], shownAs: string, { operations }: Contract) {
  const path = operations.find(({ id }) => id === operationId)?.path;
  const [location] = answers.map((answer) => (isRedirect(answer) ? answer.headers['location'] : undefined));
  if (path === undefined || !answers.every(isRedirect) || location === undefined) return undefined;
  if (!URL.canParse(location, shownAs)) return undefined;
  const { origin, pathname } = new URL(location, shownAs);
  const above = pathname.replace(/\/+$/, '');
  const base = `${origin}${above.slice(0, -path.length)}`;
  const isElsewhere = above.endsWith(path) && base !== shownAs.replace(/\/+$/, '');
  return isElsewhere ? { to: `${origin}${pathname}`, base } : undefined;
}

function isRedirect(answer: WireAnswer): answer is Answered {
  return answer.kind === 'answered' && answer.status >= 300 && answer.status < 400;
}

function describeSlashes(steps: readonly Step[], answers: readonly WireAnswer[], shownAs: string, contract: Contract) {
  const { operations } = contract;
  const base = shownAs.replace(/\/+$/, '');
  const found = answers.flatMap((answer, index) => {
    const step = steps[index];
    const path = operations.find(({ id }) => id === step?.operationId)?.path;
    const asked = path?.replaceAll(/\{[^{}]*\}/g, (name) => {
      const value = step?.parameters[name.slice(1, -1)];
      return String(value instanceof Literal ? value.value : value);
    });
    const to = path === undefined ? undefined : readSlashed(answer, `${base}${asked}`);
    return path === undefined || to === undefined ? [] : [{ path, isLonger: to.endsWith('/') }];
  });
  const [first] = found;
  if (first === undefined || found.length < answers.length) return undefined;
  const { isLonger } = first;
  const paths = found.map(({ path }) => path);
  const others = paths.map((path) => (isLonger ? `${path}/` : path.replace(/\/$/, '')));
  return `${shownAs} redirects ${paths.join(', ')} to ${others.join(', ')}: the paths of the contract ${isLonger ? 'lack' : 'have'} a slash at the end that those of the service ${isLonger ? 'have' : 'lack'}; change one of them, no other --target helps`;
}

export function readSlashed(answer: WireAnswer, asked: string): string | undefined {
  const location = isRedirect(answer) ? answer.headers['location'] : undefined;
  if (location === undefined || !URL.canParse(location, asked)) return undefined;
  const [from, to] = [new URL(asked), new URL(location, asked)];
  const isSame = from.host === to.host && from.pathname !== to.pathname;
  const others = [`${from.pathname}/`, from.pathname.replace(/\/$/, '')];
  return isSame && others.includes(to.pathname) ? to.pathname : undefined;
}

function isForeign(answer: WireAnswer): boolean {
  if (answer.kind === 'unanswered') return false;
  const { status, headers, bytes } = answer;
  if (isRedirect(answer) || status === 404 || status === 405) return true;
  return /^text\/html\b/i.test(headers['content-type'] ?? '') && !parseAnswer(bytes).ok;
}

const wrongTarget = (sentence: string): PetstoreMockError => new PetstoreMockError('wrong-target', `${sentence}.`);
