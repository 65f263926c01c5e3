import { parseAnswer } from '../../wire/http/parse-answer.js';
import { PetstoreMockError } from '../../../errors.js';
import type { Answered, WireAnswer } from '../../model/wire.js';

/** How {@link findApi} asks. */
export interface Asker {
  /** Lists pets below another base path of the same host. */
  listBelow(basePath: string): Promise<WireAnswer>;
  /** Fetches one pet below the base path that was given. */
  get(): Promise<WireAnswer>;
  /** Lists pets there without a key. */
  listWithoutKey(): Promise<WireAnswer>;
}

/** Where the API is looked for. */
export interface SearchedBase {
  /** The target as messages show it. */
  shownAs: string;
  /** The path of its base URL, without a trailing slash. */
  basePath: string;
  /** The base path of the contract's servers. */
  contractPath: string;
  /** The paths of the list, and of one pet, in the contract. */
  paths: { list: string; one: string };
}

/** How many other addresses are tried. */
const MOST_TRIED = 2;

/**
 * Reports at once if the API is not at the target and, if possible, where it is. An API with a broken list
 * is still the API: only if the answer for one pet is foreign too, there is no API.
 */
export async function findApi(list: WireAnswer, asker: Asker, place: SearchedBase): Promise<void> {
  if (!isForeign(list)) return;
  const one = await asker.get();
  if (!isForeign(one) || (tellsErrors(list) && tellsErrors(one) && isServedBelow(place))) return;
  for (const path of listCandidates(place, list)) {
    if (isApi(await asker.listBelow(path)))
      throw wrongTarget(`${place.shownAs} is not the base URL of the API; it answers at ${moveTo(place, path)}`);
  }
  // A server that uses the contract's errors, or asks for the key, is an unfinished implementation of the API, whatever its
  // list is.
  if (tellsErrors(one) && (tellsErrors(list) || (list.status < 300 && !isPage(list)))) return;
  if (isRefusal(await asker.listWithoutKey())) return;
  throw wrongTarget(describeForeign(list, one, place));
}

function wrongTarget(sentence: string): PetstoreMockError {
  return new PetstoreMockError('wrong-target', `${sentence}.`);
}

/** An answer with no sign of an API: a page, a redirect, nothing at that path or in it, an object that is not a pet. */
function isForeign(answer: WireAnswer): answer is Answered {
  if (answer.kind === 'unanswered') return false;
  const { status } = answer;
  if (status >= 300 && status < 400) return true;
  if (status === 404 || status === 405 || status === 501) return true;
  return status < 300 && (answer.bytes.length === 0 || isPage(answer) || isOtherObject(answer));
}

/** A page is recognised by its content: JSON labelled as HTML is a deviation of an API. */
function isPage({ headers, bytes }: Answered): boolean {
  return /^text\/html\b/i.test(headers['content-type'] ?? '') && !parseAnswer(bytes).ok;
}

/** What an answer of the API might contain, however broken. */
const NAMES = ['id', 'name', 'categoryId', 'code', 'message'];

/** An object that contains no list and no field of a pet or an error. */
function isOtherObject({ bytes }: Answered): boolean {
  const value = readObject(bytes);
  if (value === undefined) return false;
  return !NAMES.some((name) => name in value) && !Object.values(value).some((each) => typeof each === 'object');
}

function readObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  const parsed = parseAnswer(bytes);
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value))
    return undefined;
  return parsed.value as Record<string, unknown>;
}

/** Whether an error has the contract's fields. */
function tellsErrors(answer: WireAnswer): boolean {
  if (answer.kind === 'unanswered' || answer.status < 400) return false;
  const body = readObject(answer.bytes);
  return body !== undefined && ['code', 'message', 'status'].every((name) => name in body);
}

/** Whether the target has the contract's own path already. */
function isServedBelow({ basePath, contractPath }: SearchedBase): boolean {
  return basePath.endsWith(contractPath) && (contractPath === '' || !basePath.endsWith(contractPath.repeat(2)));
}

function isRefusal(answer: WireAnswer): boolean {
  return answer.kind === 'answered' && (answer.status === 401 || answer.status === 403);
}

/** A list, or a demand for a key that this path makes and the target does not. */
function isApi(answer: WireAnswer): boolean {
  if (answer.kind === 'unanswered') return false;
  if (isRefusal(answer)) return readObject(answer.bytes) !== undefined;
  const parsed = parseAnswer(answer.bytes);
  return answer.status === 200 && parsed.ok && Array.isArray(parsed.value);
}

/** The base paths that the user may have meant, the likeliest first. */
function listCandidates(place: SearchedBase, list: Answered): string[] {
  const { basePath, contractPath, paths } = place;
  const withoutList =
    cutList(basePath, paths.list) ?? cutList(basePath.replace(/\/[^/]*$/, ''), paths.list) ?? basePath;
  const candidates = [
    ...followRedirect(list, place),
    ...(withoutList === basePath ? [] : [withoutList]),
    ...(withoutList.endsWith(contractPath) ? [] : [withoutList + contractPath]),
    contractPath,
    basePath.slice(0, Math.max(0, basePath.length - contractPath.length)),
  ];
  return [...new Set(candidates)].filter((path) => path !== basePath).slice(0, MOST_TRIED);
}

/** What stands before the list in a path; `undefined` if that does not end in it. */
function cutList(path: string, list: string): string | undefined {
  const plain = path.replace(/\/$/, '');
  return plain.endsWith(list) ? plain.slice(0, -list.length) : undefined;
}

/** A redirect within the host shows where the list is. */
function followRedirect({ status, headers }: Answered, { shownAs, paths }: SearchedBase): string[] {
  const location = headers['location'];
  if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, `${shownAs}${paths.list}`))
    return [];
  const url = new URL(location, `${shownAs}${paths.list}`);
  const path = cutList(url.pathname, paths.list);
  return url.origin === new URL(shownAs).origin && path !== undefined ? [path] : [];
}

function moveTo({ shownAs }: SearchedBase, path: string): string {
  return `${new URL(shownAs).origin}${path}; try --target ${new URL(shownAs).origin}${path}`;
}

function describeForeign(list: Answered, one: Answered, place: SearchedBase): string {
  const { shownAs, contractPath, paths } = place;
  const hint = `give the base URL of the API, which is followed by ${paths.list}${contractPath === '' ? '' : ` and usually ends in ${contractPath}`}`;
  const what = `nothing of the API is at ${shownAs}: GET ${paths.list} answers ${list.status}`;
  if (list.status >= 300 && list.status < 400)
    return describeRedirect(readLocation(list, place), { what, hint, place });
  if (isPage(list)) return `${what} with an HTML page; ${hint}`;
  return `${what}, GET ${paths.one} ${one.status}, and neither looks like the API; ${hint}`;
}

/** Where a redirect leads, without its query, which may contain secrets. */
function readLocation({ headers }: Answered, { shownAs, paths }: SearchedBase): string | undefined {
  const location = headers['location'] ?? '';
  const asked = `${shownAs}${paths.list}`;
  if (!URL.canParse(location, asked)) return undefined;
  const { origin, pathname } = new URL(location, asked);
  return `${origin}${pathname}`;
}

function describeRedirect(
  location: string | undefined,
  { what, hint, place }: { what: string; hint: string; place: SearchedBase },
): string {
  if (location === undefined) return `${what} and redirects to nowhere; ${hint}`;
  const redirects = `${what} and redirects to ${location}`;
  if (/log-?in|sign-?in|auth|sso/i.test(location))
    return `${redirects}, which looks like a login; give the base URL behind it, and what it accepts with --header`;
  const base = cutList(location, place.paths.list);
  return base === undefined ? `${redirects}; ${hint}` : `${redirects}; try --target ${base}`;
}
