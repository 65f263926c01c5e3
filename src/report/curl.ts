import { checks } from '../conformance/checks/index.js';
import type { ShownCredential, ShellWords, ExchangeResult, Finding, RunResult } from '../conformance/model/result.js';
import { PLACEHOLDER } from '../redact/redactor.js';

type Request = ExchangeResult['request'];
type Form = Request['auth'];

/** Where a request went, and how a shell has what the run kept secret. */
type Sent = Pick<RunResult, 'target' | 'shell'>;

/** Fields that curl sends of its own accord, or that depend on the run. */
const LEFT_OUT = new Set(['authorization', 'accept-encoding', 'user-agent', 'content-length', 'accept']);

/** A longer body makes a command that nobody reads. */
const LONGEST_BODY = 2000;

/** A command line that shows a finding again, or a sentence that none does. */
export function formatProof(
  sent: Sent,
  exchange: ExchangeResult,
  { check, rule, at }: Pick<Finding, 'check' | 'rule' | 'at'>,
): string {
  const { comparesAnswers, showsAlone = [] } = checks.find(({ id }) => id === check) ?? {};
  if (comparesAnswers === true && !showsAlone.includes(rule))
    return 'one request alone does not show it, since responses are compared';
  const body = readWholeBody(exchange.request);
  if (body === undefined) return 'the body of the request is not text, or was cut; --report har has what was sent';
  // A shell drops line ends at the end of what a command prints.
  if (body.endsWith('\n')) return 'the body of the request ends with a line break; --report har has it';
  if (body.length > LONGEST_BODY) return `the body of the request has ${body.length} characters; --report har has them`;
  const { request } = exchange;
  const whole = request.body === undefined ? exchange : { ...exchange, request: { ...request, body } };
  const line = formatCurl(sent, whole);
  // curl shows a body; what stands above it, only if it is asked to.
  const isAboveBody = at === 'status' || at.startsWith('header/');
  return isAboveBody && !line.startsWith('curl --head') ? line.replace(/^curl/, 'curl -i') : line;
}

/**
 * The body as it was sent; `undefined` where it was cut, or is not text. Reports spell out what breaks a line (`\\u000a`), which
 * the length of the body tells from an escape that was sent.
 */
function readWholeBody({ headers, body = '' }: Request): string | undefined {
  const length = findHeader(headers, 'content-length');
  const isWhole = (text: string): boolean => length === undefined || Number(length) === Buffer.byteLength(text);
  if (isWhole(body)) return body;
  const plain = body.replaceAll(/\\u([\da-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return isWhole(plain) ? plain : undefined;
}

/** The whole URL of a request to a target. */
export function urlOf(target: string, { base, path }: Request): string {
  return `${base === undefined ? target : `${new URL(target).origin}${base}`}${path}`;
}

/** A command line that sends the request again. */
export function formatCurl({ target, shell = USUAL }: Sent, { request }: ExchangeResult): string {
  const { method, headers, body, path, auth } = request;
  // Without a word about them, a request that had some showed the key as a bearer token.
  const bearer = findHeader(headers, 'authorization') === undefined ? [] : [BEARER];
  const credentials = (request.credentials ?? bearer).map((each) => {
    const key = each.of === undefined ? shell.apiKey : (shell.credentials[each.of] ?? readLine(each.of));
    return Object.assign({}, each, { key });
  });
  const own = new Set(credentials.map(({ kind, at }) => (kind === 'header' ? at.toLowerCase() : '')));
  const others = Object.entries(headers)
    .filter(([name]) => !LEFT_OUT.has(name.toLowerCase()) && !own.has(name.toLowerCase()))
    .filter(([name]) => name.toLowerCase() !== 'cookie' || credentials.every(({ kind }) => kind !== 'cookie'));
  const accept = findHeader(headers, 'accept');
  const url = urlOf(target, request);
  return [
    'curl',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method]),
    // curl takes brackets for a range, and dots for a way up.
    ...(/[[\]{}]/.test(url.replaceAll(PLACEHOLDER, '')) ? ['-g'] : []),
    ...(/\/\.{1,2}(?:\/|$|\?)/.test(path) ? ['--path-as-is'] : []),
    ...writeCredentials(credentials, auth),
    // curl sends an Accept of its own, which few services treat differently from ours.
    ...(accept === 'application/json' ? [] : ['-H', quote(accept === undefined ? 'Accept:' : `Accept: ${accept}`)]),
    ...others.flatMap(([name, value]) => {
      const field = value === '' ? `${name};` : `${name}: ${value}`;
      if (!field.includes(PLACEHOLDER)) return ['-H', quote(field)];
      const secret = shell.headers[name.toLowerCase()] ?? `$${nameVariable(name)}`;
      return ['-H', `"${escape(field).replaceAll(PLACEHOLDER, () => secret)}"`];
    }),
    ...(body === undefined ? [] : ['--data-raw', quoteBody(body)]),
    fillInQuery(url, credentials, auth),
  ].join(' ');
}

type WrittenCredential = ShownCredential & { key: string };

const BEARER: ShownCredential = { kind: 'bearer', at: 'Bearer' };

function writeCredentials(credentials: readonly WrittenCredential[], auth: Request['auth']): string[] {
  const cookies = credentials.filter(({ kind }) => kind === 'cookie');
  const pairs = cookies.map(({ at, key }) => `${escape(at)}=${changeKey(key, auth)}`);
  return [
    ...credentials.flatMap((each) => writeCredential(each, auth)),
    ...(pairs.length === 0 ? [] : ['-H', `"Cookie: ${pairs.join('; ')}"`]),
  ];
}

function writeCredential({ kind, at, key, lacksPassword }: WrittenCredential, auth: Request['auth']): string[] {
  const name = auth === 'lowerCaseField' ? 'authorization' : 'Authorization';
  const changed = changeKey(key, auth);
  if (kind === 'bearer') return listBearers(key, auth).flatMap((value) => ['-H', `"${name}: ${value}"`]);
  if (kind === 'word') return ['-H', `"${name}: ${escape(at)} ${changed}"`];
  if (kind === 'header') return ['-H', changed === '' ? quote(`${at};`) : `"${escape(at)}: ${changed}"`];
  if (kind !== 'basic') return [];
  const encode = (text: string): string => `$(printf %s "${text}" | base64 | tr -d '\\n')`;
  // The ways to show a pair in which it is not what `-u` makes of it.
  const odd: Partial<Record<Form, string[]>> = {
    unencoded: [`Basic ${key}`],
    bareKey: [encode(key)],
    otherScheme: [`Bearer ${encode(key)}`],
    twoFields: [`Basic ${encode(`x${key}`)}`, `Basic ${encode(changeKey(key, 'extended'))}`],
  };
  if (odd[auth] !== undefined) return odd[auth].flatMap((value) => ['-H', `"Authorization: ${value}"`]);
  const cut = (fields: string): string => `$(printf %s "${key}" | cut -d: -f${fields}`;
  // The password alone in another case.
  const shown = auth === 'otherCase' ? `${cut('1')}):${cut('2-')} | tr a-zA-Z A-Za-z)` : changed;
  const pair = `${shown}${lacksPassword === true || changed === '' ? ':' : ''}`;
  return auth === 'lowerCaseField' ? ['-H', `"${name}: Basic ${encode(pair)}"`] : ['-u', `"${pair}"`];
}

function fillInQuery(url: string, credentials: readonly WrittenCredential[], auth: Request['auth']): string {
  const inQuery = credentials.filter(({ kind }) => kind === 'query');
  const names = inQuery.map(({ at }) => encodeURIComponent(at));
  const named = escape(url).replaceAll(SECRET_PAIR, (_, before: string, name: string) =>
    names.includes(name) ? `${before}${name}=` : `${before}${name}=$${nameVariable(decodeURIComponent(name))}`,
  );
  const filled = inQuery.reduce((text, { key }, index) => {
    const from = text.lastIndexOf(`${names[index]}=`) + `${names[index]}=`.length;
    const end = text.indexOf('&', from);
    return `${text.slice(0, from)}${changeKey(key, auth)}${end === -1 ? '' : text.slice(end)}`;
  }, named);
  return filled === url ? quote(url) : `"${filled}"`;
}

/** A parameter that was given and is secret by its name. */
const SECRET_PAIR = new RegExp(`([?&])([^=&]+)=${PLACEHOLDER.replaceAll(/[[\]]/g, String.raw`\$&`)}`, 'g');

/** Within double quotes. */
function escape(text: string): string {
  return text.replaceAll(/["\\`$]/g, String.raw`\$&`);
}

export function findHeader(headers: Request['headers'], wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

const CONTROLS = /\p{Cc}/gu;

/** Control characters are written by `printf`, as in any POSIX shell, so that a command is one line and shows each of them. */
function quoteBody(text: string): string {
  if (text.search(CONTROLS) < 0) return quote(text);
  const format = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('%', '%%')
    .replaceAll(CONTROLS, (char) => {
      const named = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` }[char];
      return named ?? Array.from(Buffer.from(char), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
    });
  return `"$(printf ${quote(format)})"`;
}

/** For a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A run that was not started by the program has its credentials where the program reads them. */
const USUAL: ShellWords = { apiKey: '$PETSTORE_API_KEY', credentials: {}, headers: {} };

/** `X_GATEWAY_KEY`, for `X-Gateway-Key`. */
export function nameVariable(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/[^A-Za-z\d]+/g, '_');
  return `${/^\d/.test(words) ? '_' : ''}${words.toUpperCase()}`;
}

/** `PETSTORE_CREDENTIALS` has a line for each: `basicAuth=user:password`. The last one counts. */
function readLine(name: string): string {
  const pattern = name.replace(/[\\/.*^$[\]]/g, String.raw`\$&`).replaceAll("'", String.raw`'\''`);
  return `$(printf '%s\\n' "$PETSTORE_CREDENTIALS" | sed -n 's/^${pattern}=//p' | tail -n 1)`;
}

/** What a request shows in place of a key, by the way in which it presented itself. */
const CHANGED: Partial<Record<Form, (key: string) => string>> = {
  wrong: (key) => `$(printf %s "${key}" | tr 0-8a-yA-Y 1-9b-zB-Z)`,
  empty: () => '',
  truncated: (key) => endWith(key, '%?') ?? `$(printf %s "${key}" | sed 's/.$//')`,
  extended: (key) => `${endWith(key, '') ?? key}x`,
  prefixed: (key) => `x${key}`,
  otherCase: (key) => `$(printf %s "${key}" | tr a-zA-Z A-Za-z)`,
  firstOfTwo: (key) => `${key} other`,
  lastOfTwo: (key) => `other ${key}`,
  amongOthers: (key) => `other,${key}`,
  quoted: (key) => String.raw`\"${key}\"`,
  beyondAscii: (key) => `${endWith(key, '') ?? key}é`,
  emptyPassword: (key) => `$(printf %s "${key}" | sed 's/:.*/:/')`,
  wordUndefined: () => 'undefined',
  wordNull: () => 'null',
  star: () => '*',
  second: () => '$PETSTORE_CREDENTIAL_B',
};

function endWith(key: string, operator: string): string | undefined {
  const name = /^\$(\w+)$/.exec(key)?.[1];
  return name === undefined ? undefined : `\${${name}${operator}}`;
}

function changeKey(key: string, form: Form): string {
  return CHANGED[form]?.(key) ?? key;
}

const WORDS: Partial<Record<Form, string>> = { otherScheme: 'Basic ', bareKey: '', lowerCaseScheme: 'bearer ' };

/** The values of the `Authorization` field after the word Bearer, or what was put in its place. */
function listBearers(key: string, form: Form): string[] {
  if (form === 'missing') return [];
  if (form === 'twoFields') return [`Bearer x${key}`, `Bearer ${endWith(key, '') ?? key}x`];
  return [`${WORDS[form] ?? 'Bearer '}${changeKey(key, form)}`];
}
