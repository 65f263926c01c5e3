// Reads how a run gets a credential, as the library, a flag, a variable or the config file gives it: all in the same form.
import { loadYaml } from '../../../contract/document/load-when-needed.js';
import type { CredentialSource, GivenCredentials } from '../../model/options.js';

const KINDS = ['login', 'command', 'oauth2'] as const;
const LOGIN = ['path', 'method', 'body', 'form', 'headers', 'take', 'prefix'];
const OAUTH2 = ['client_id', 'client_secret', 'username', 'password', 'scope', 'token_url'];

/** Whether a value is meant as a way to get a credential, and not as the credential. */
export function isSource(value: unknown): value is CredentialSource {
  return isObject(value) && KINDS.some((kind) => Object.hasOwn(value, kind));
}

/**
 * A credential as a flag or a variable has it: `{ login: { path: /login } }` is a way to get one, in JSON or YAML; any other
 * text is the credential.
 */
export function readCredentialText(text: string): unknown {
  if (!/^\s*\{.*\}\s*$/s.test(text)) return text;
  try {
    const read: unknown = loadYaml().parse(text, { logLevel: 'silent' });
    return isSource(read) ? read : text;
  } catch {
    return text;
  }
}

/**
 * What is wrong with a way to get a credential, after its name; `undefined` if nothing is. It shows names, and no value, since
 * any of them may be a secret.
 */
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
  return kind === 'login' ? findLoginProblem(own) : findOAuth2Problem(own);
}

type Members = Readonly<Record<string, unknown>>;

function findLoginProblem(login: Members): string | undefined {
  const unknown = findUnknown(login, LOGIN);
  if (unknown !== undefined) return `has login.${unknown}, which it cannot have; it may have ${LOGIN.join(', ')}`;
  if (!isText(login['path']) || !/^(?:\/|https?:\/\/)/i.test(login['path']))
    return 'has login.path, which must be a path below the base URL that begins with /, or a URL';
  const wrong = ['method', 'prefix'].find((name) => !isTextOrNone(login[name]));
  if (wrong !== undefined) return `has login.${wrong}, which must be a text`;
  const fields = ['form', 'headers'].find((name) => login[name] !== undefined && !isObject(login[name]));
  if (fields !== undefined) return `has login.${fields}, which must be an object`;
  if (!Object.values(asMembers(login['headers'])).every((each) => typeof each === 'string'))
    return 'has login.headers, each of which must be a text';
  if (login['body'] !== undefined && login['form'] !== undefined) return 'has login.body and login.form; one is enough';
  return isPlace(login['take'])
    ? undefined
    : 'has login.take, which must be a JSON Pointer such as /access_token, { header: <name> } or { cookie: <name> }';
}

function findOAuth2Problem(client: Members): string | undefined {
  const unknown = findUnknown(client, OAUTH2);
  if (unknown !== undefined) return `has oauth2.${unknown}, which it cannot have; it may have ${OAUTH2.join(', ')}`;
  const wrong = OAUTH2.find((name) => !isTextOrNone(client[name]));
  if (wrong !== undefined) return `has oauth2.${wrong}, which must be a text`;
  if (client['username'] === undefined && client['client_id'] === undefined)
    return 'has oauth2 without client_id and without username; the flow needs one of them';
  return undefined;
}

function isPlace(take: unknown): boolean {
  if (take === undefined) return true;
  if (typeof take === 'string') return take === '' || take.startsWith('/');
  return isObject(take) && Object.keys(take).length === 1 && (isText(take['header']) || isText(take['cookie']));
}

function findUnknown(members: Members, known: readonly string[]): string | undefined {
  return Object.keys(members).find((name) => !known.includes(name));
}

function asMembers(value: unknown): Members {
  return isObject(value) ? value : {};
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

/** Names of what says who logs in, which is no secret. */
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

/** The credentials that are given as they are. */
export function listFixed(given: GivenCredentials): Record<string, string> {
  const fixed = Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(fixed);
}

/** Those that a run gets by itself, by the name under which each is given. */
export function listSources(given: GivenCredentials): Map<string, CredentialSource> {
  const sources = Object.entries(given).filter((entry): entry is [string, CredentialSource] => isSource(entry[1]));
  return new Map(sources);
}
