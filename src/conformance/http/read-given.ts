import { PetstoreMockError } from '../../errors.js';
import type { ConformanceOptions, CredentialSource, GivenCredentials } from '../model/options.js';
import { loadYaml } from '../../contract/document/load-when-needed.js';
import type { Contract } from '../../contract/contract.js';
import type { SecurityScheme } from '../../contract/model.js';

export function readTarget(text: string): URL {
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text)) throw bad(describeWrongTarget(text));
  const url = new URL(text);
  if (url.search === '' && url.hash === '') return url;
  throw bad(`the target ${showTarget(url)} must have no query and no fragment.`);
}

function describeWrongTarget(text: string): string {
  const isHost = /^(?:[\w-]+(?:\.[\w-]+)+|[\w.-]+:\d+)(?:\/[\w./-]*)?$/.test(text);
  if (isHost) return `the target is not a URL; should it be http://${text}?`;
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    return `the target is a URL of ${scheme}://; only http:// and https:// can be tested.`;
  return 'the target is not a URL; give the base URL, such as http://127.0.0.1:4010/v1.';
}

function bad(message: string): PetstoreMockError {
  return new PetstoreMockError('bad-option', message);
}

export function isOnThisMachine({ hostname }: URL): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Throws a `PetstoreMockError`, without the URL, which may contain a password. */
export function readProxy(text: string | undefined): URL | undefined {
  if (text === undefined) return undefined;
  try {
    const url = new URL(text);
    if (/^https?:\/\//i.test(text) && decodeURIComponent(`${url.username}${url.password}`) !== undefined) return url;
  } catch {
    // What cannot be read is told like any other URL that is of no use.
  }
  throw bad(
    'the proxy cannot be used; its URL must begin with http:// or https://, such as http://proxy.example:3128.',
  );
}

export function checkHeaders({ apiKey, headers }: ConformanceOptions): void {
  const unsendable = findUnsendableInKey(apiKey);
  if (unsendable !== undefined) throw bad(`the API key has ${unsendable}, which no header field can carry.`);
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(name))
      throw bad('the name of a header field has characters that are not allowed there.');
    const character = findFirst(UNSENDABLE, value);
    if (character !== undefined) throw bad(`the header field ${name} has ${character}, which none can carry.`);
  }
}

export function showTarget(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

/** What Node refuses to send in a header field (RFC 9110 section 5.5). */
const UNSENDABLE = /[^\t\u0020-\u007E\u0080-\u00FF]/u;

export function findUnsendableInKey(key: string): string | undefined {
  return findFirst(/[^\t\P{Cc}]/u, key);
}

function findFirst(unsendable: RegExp, text: string): string | undefined {
  const characters = Array.from(text);
  const index = characters.findIndex((character) => unsendable.test(character));
  if (index < 0) return undefined;
  const number = (characters[index]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${number}, as character ${index + 1}`;
}

const KINDS = ['login', 'command', 'oauth2'] as const;
const LOGIN = ['path', 'method', 'body', 'form', 'headers', 'take', 'prefix'];
const OAUTH2 = ['client_id', 'client_secret', 'username', 'password', 'scope', 'token_url'];

export function isSource(value: unknown): value is CredentialSource {
  return isObject(value) && KINDS.some((kind) => Object.hasOwn(value, kind));
}

/** `{ login: { path: /login } }` is a way to get one, in JSON or YAML; any other text is the credential. */
export function readCredentialText(text: string): unknown {
  if (!/^\s*\{.*\}\s*$/s.test(text)) return text;
  try {
    const read: unknown = loadYaml().parse(text, { logLevel: 'silent' });
    return isSource(read) ? read : text;
  } catch {
    return text;
  }
}

/** What is wrong, after its name; `undefined` if nothing is. No value is shown, since any may be a secret. */
export function findSourceProblem(source: unknown): string | undefined {
  if (!isObject(source)) return 'must be a text, or one of login, command and oauth2';
  const kinds = KINDS.filter((kind) => Object.hasOwn(source, kind));
  const [kind] = kinds;
  if (kind === undefined) return 'must have one of login, command and oauth2';
  if (kinds.length > 1) return `has ${kinds.join(' and ')}, and one of them is enough`;
  const other = findUnknown(source, [kind, 'renew']);
  if (other !== undefined) return `has the member ${other}, which it cannot have; it may have ${kind} and renew`;
  if (![undefined, 'on-401', 'never'].includes(source['renew'] as string | undefined))
    return 'has renew, which must be on-401 or never';
  if (kind === 'command') return isText(source[kind]) ? undefined : 'has command, which must be a text for the shell';
  const own = source[kind];
  if (!isObject(own)) return `has ${kind}, which must be an object`;
  const members = kind === 'login' ? LOGIN : OAUTH2;
  const unknown = findUnknown(own, members);
  if (unknown !== undefined) return `has ${kind}.${unknown}, which it cannot have; it may have ${members.join(', ')}`;
  if (kind === 'login') return findLoginProblem(own);
  const wrong = OAUTH2.find((name) => !isTextOrNone(own[name]));
  if (wrong !== undefined) return `has oauth2.${wrong}, which must be a text`;
  const isSomebody = own['username'] !== undefined || own['client_id'] !== undefined;
  return isSomebody ? undefined : 'has oauth2 without client_id and without username; the flow needs one of them';
}

type Members = Readonly<Record<string, unknown>>;

function findLoginProblem({ path, take, body, form, headers, ...login }: Members): string | undefined {
  if (!isText(path) || !/^(?:\/|https?:\/\/)/i.test(path))
    return 'has login.path, which must be a path below the base URL that begins with /, or a URL';
  const wrong = ['method', 'prefix'].find((name) => !isTextOrNone(login[name]));
  if (wrong !== undefined) return `has login.${wrong}, which must be a text`;
  const fields = Object.entries({ form, headers }).find(([, each]) => each !== undefined && !isObject(each));
  if (fields !== undefined) return `has login.${fields[0]}, which must be an object`;
  if (!Object.values(headers ?? {}).every((each) => typeof each === 'string'))
    return 'has login.headers, each of which must be a text';
  if (body !== undefined && form !== undefined) return 'has login.body and login.form; one is enough';
  const isPlace = typeof take === 'string' ? take === '' || take.startsWith('/') : take === undefined;
  const isNamed =
    isObject(take) && Object.keys(take).length === 1 && (isText(take['header']) || isText(take['cookie']));
  if (isPlace || isNamed) return undefined;
  return 'has login.take, which must be a JSON Pointer such as /access_token, { header: <name> } or { cookie: <name> }';
}

function findUnknown(members: Members, known: readonly string[]): string | undefined {
  return Object.keys(members).find((name) => !known.includes(name));
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

const WHO =
  /^(?:user(?:_?name)?|login|e?-?mail|name|account|tenant|realm|domain|client_?id|grant_?type|scope|token_url)$/i;

/** The secrets in a way to get a credential: the texts of body, form and header fields but for who logs in, and the command. */
export function listSourceSecrets(source: CredentialSource): string[] {
  if ('command' in source) return [];
  if ('oauth2' in source) return listTexts(source.oauth2);
  const { body, form, headers } = source.login;
  return [body, form, headers].flatMap((each) => listTexts(each));
}

function listTexts(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return value === '' || WHO.test(name) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((each) => listTexts(each, name));
  return isObject(value) ? Object.entries(value).flatMap(([key, each]) => listTexts(each, key)) : [];
}

export function listFixed(given: GivenCredentials): string[] {
  return Object.values(given).filter((each) => typeof each === 'string');
}

export function listSources(given: GivenCredentials): Map<string, CredentialSource> {
  return new Map(Object.entries(given).filter((entry): entry is [string, CredentialSource] => isSource(entry[1])));
}

/** Header fields with credentials become those, so that requests go out without them or with wrong ones. */
export function takeAuthorization<T extends Pick<ConformanceOptions, 'headers' | 'credentials'>>(
  options: T,
  { securitySchemes }: Contract,
): T {
  const entries = Object.entries(options.headers ?? {});
  const found = entries.flatMap(([name, value]) =>
    securitySchemes.flatMap((scheme) => {
      const credential = readFor(scheme, name, value);
      return credential === undefined ? [] : [{ name, scheme: scheme.name, credential }];
    }),
  );
  if (found.length === 0) return options;
  const taken = new Set(found.map(({ name }) => name));
  return {
    ...options,
    credentials: {
      ...Object.fromEntries(found.map(({ scheme, credential }) => [scheme, credential])),
      ...options.credentials,
    },
    headers: Object.fromEntries(entries.filter(([name]) => !taken.has(name))),
  };
}

export function isAuthorization(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

function readFor({ kind, at }: SecurityScheme, name: string, value: string): string | undefined {
  if (kind === 'header') return name.toLowerCase() === at.toLowerCase() ? value : undefined;
  const isCookie = name.toLowerCase() === 'cookie' && value.startsWith(`${at}=`) && !value.includes(';');
  if (kind === 'cookie') return isCookie ? value.slice(at.length + 1) : undefined;
  if (kind === 'query' || !isAuthorization(name)) return undefined;
  const [word = '', ...rest] = value.trim().split(/\s+/);
  const own = rest.join(' ');
  if (own === '' || word.toLowerCase() !== at.toLowerCase()) return undefined;
  return kind === 'basic' ? Buffer.from(own, 'base64').toString('utf8') : own;
}
