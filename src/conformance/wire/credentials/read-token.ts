// Takes the credential out of what a login, a command or a token endpoint responded.
import { asObject, asText } from '../../../contract/document/plain.js';
import type { SecurityScheme } from '../../../contract/model.js';
import { followPointer } from '../../model/follow-pointer.js';
import type { Login } from '../../model/credential-source.js';
import type { Answered } from '../../model/wire.js';
import { parseAnswer } from '../http/parse-answer.js';
import { isAuthorization } from '../request/take-authorization.js';

export interface ReadToken {
  value: string;
  /** How long it is good for, in milliseconds. Absent if the response does not say. */
  expiresInMs?: number;
  /** What gets the next one (RFC 6749 section 6). */
  refresh?: string;
}

/** What responded, of a command. */
export const COMMAND = 'the command';

interface Asked {
  /** What responded: `POST /login`. */
  shown: string;
  take?: Login['take'];
  prefix?: Login['prefix'];
  scheme: SecurityScheme | undefined;
}

type Read = (ReadToken & { ok: true }) | { ok: false; why: string };

export function readToken(response: Pick<Answered, 'bytes' | 'headers'>, asked: Asked): Read {
  const { take, shown } = asked;
  if (typeof take === 'object') return readField(response, take, asked);
  const { scheme } = asked;
  const cookie = scheme?.kind === 'cookie' && take === undefined ? findCookie(response, scheme.at) : undefined;
  if (cookie !== undefined) return { ok: true, value: cookie };
  const parsed = parseAnswer(response.bytes);
  const text = Buffer.from(response.bytes).toString('utf8').trim();
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) {
    // The word of its scheme may stand before it.
    const isWhole = (take === undefined || take === '') && /^(?:[A-Za-z][\w-]* )?[^\s<>{}]+$/.test(text);
    const whole = parsed.ok && typeof parsed.value === 'string' ? parsed.value : text;
    return isWhole ? { ok: true, value: withWord(whole, undefined, asked) } : { ok: false, why: describeNoJson(shown) };
  }
  const at = take ?? findUsual(parsed.value);
  const found = at === undefined ? undefined : followPointer(parsed.value, at);
  const isToken = (typeof found === 'string' && found !== '') || typeof found === 'number' || typeof found === 'bigint';
  if (!isToken) return { ok: false, why: describeNothing(parsed.value, asked) };
  const beside = asObject(followPointer(parsed.value, (at ?? '').replace(/\/[^/]*$/, '')));
  const type = asText(beside['token_type']);
  if (type !== undefined && /^(?:mac|dpop|pop)$/i.test(type))
    return { ok: false, why: `${shown} gives a token of the type ${type}, which has to be computed for each request` };
  const seconds = [beside['expires_in'], beside['expiresIn']].map(Number).find((each) => each > 0);
  const refresh = asText(beside['refresh_token']);
  return {
    ok: true,
    value: withWord(String(found), type, asked),
    ...(seconds === undefined ? {} : { expiresInMs: seconds * 1000 }),
    ...(refresh === undefined ? {} : { refresh }),
  };
}

/** Where a key is all of `Authorization`, the type of the token stands before it (RFC 6750 section 2.1). */
function withWord(token: string, type: string | undefined, { prefix, scheme }: Asked): string {
  if (prefix !== undefined) return `${prefix}${/\s$/.test(prefix) || prefix === '' ? '' : ' '}${token}`;
  const isBare = scheme?.kind === 'header' && isAuthorization(scheme.at) && !token.includes(' ');
  return isBare && type !== undefined ? `${/^bearer$/i.test(type) ? 'Bearer' : type} ${token}` : token;
}

/** Where services put a token, the likeliest first. */
const USUAL = [
  'access_token',
  'accessToken',
  'token',
  'jwt',
  'id_token',
  'idToken',
  'api_key',
  'apiKey',
  'auth_token',
  'authToken',
  'key',
  'sessionId',
  'session_id',
  'session',
];
const WITHIN = ['', '/data', '/result', '/response', '/tokens', '/auth'];

function findUsual(body: object): string | undefined {
  const places = WITHIN.flatMap((above) => USUAL.map((name) => `${above}/${name}`));
  return places.find((at) => {
    const found = followPointer(body, at);
    return typeof found === 'string' && found !== '';
  });
}

function readField(
  { headers }: Pick<Answered, 'headers'>,
  take: { header: string } | { cookie: string },
  asked: Asked,
): Read {
  const found = 'header' in take ? headers[take.header.toLowerCase()] : findCookie({ headers }, take.cookie);
  if (found === undefined || found.trim() === '') {
    const what = 'header' in take ? `header field ${take.header}` : `cookie ${take.cookie}`;
    return { ok: false, why: `the response to ${asked.shown} has no ${what} (take)` };
  }
  return { ok: true, value: withWord(found.trim(), undefined, asked) };
}

/** RFC 6265 section 4.1.1; the client has joined several fields by commas. */
function findCookie({ headers }: Pick<Answered, 'headers'>, name: string): string | undefined {
  const line = headers['set-cookie'] ?? '';
  const start = line.split(/,\s*(?=[^\s;,=]+=)/).find((each) => each.startsWith(`${name}=`));
  const value = start
    ?.slice(name.length + 1)
    .split(';')[0]
    ?.trim();
  return value === '' ? undefined : value?.replace(/^"(.*)"$/, '$1');
}

function describeNoJson(shown: string): string {
  if (shown === COMMAND) return 'the command printed neither JSON nor a credential alone';
  return `the response to ${shown} is no JSON, and no single word either; login.take says where the credential is, as { header: <name> } or { cookie: <name> }`;
}

/** Names of members alone: their values may be secret. */
function describeNothing(body: object, { take, shown }: Asked): string {
  const names = Object.keys(body).slice(0, 8);
  const has = names.length === 0 ? 'no members' : `the members ${names.join(', ')}`;
  if (typeof take === 'string')
    return `the response to ${shown} has no text at ${take === '' ? 'its top' : take} (take); it has ${has}`;
  return `the response to ${shown} has no credential under a usual name; it has ${has}: login.take says where it is, such as /data/token`;
}
