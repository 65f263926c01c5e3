import { checks } from '../conformance/checks/index.js';
import type { ExchangeResult, Finding } from '../conformance/result.js';
import { PLACEHOLDER } from '../redact/redactor.js';

/** How each way of presenting a key is written in a shell that has it in `$PETSTORE_API_KEY`. */
const AUTHORIZATION: Readonly<Record<ExchangeResult['request']['auth'], string | readonly string[] | undefined>> = {
  valid: 'Bearer $PETSTORE_API_KEY',
  missing: undefined,
  wrong: 'Bearer $(printf %s "$PETSTORE_API_KEY" | tr 0-8a-yA-Y 1-9b-zB-Z)',
  empty: 'Bearer ',
  truncated: 'Bearer ${PETSTORE_API_KEY%?}',
  extended: 'Bearer ${PETSTORE_API_KEY}x',
  prefixed: 'Bearer x$PETSTORE_API_KEY',
  otherCase: 'Bearer $(printf %s "$PETSTORE_API_KEY" | tr a-zA-Z A-Za-z)',
  otherScheme: 'Basic $PETSTORE_API_KEY',
  bareKey: '$PETSTORE_API_KEY',
  lowerCaseScheme: 'bearer $PETSTORE_API_KEY',
  lowerCaseField: 'Bearer $PETSTORE_API_KEY',
  firstOfTwo: 'Bearer $PETSTORE_API_KEY other',
  lastOfTwo: 'Bearer other $PETSTORE_API_KEY',
  amongOthers: 'Bearer other,$PETSTORE_API_KEY',
  quoted: String.raw`Bearer \"$PETSTORE_API_KEY\"`,
  beyondAscii: 'Bearer ${PETSTORE_API_KEY}é',
  wordUndefined: 'Bearer undefined',
  wordNull: 'Bearer null',
  star: 'Bearer *',
  lackingScope: 'Bearer $TOKEN_WITHOUT_THE_SCOPE',
  twoFields: ['Bearer x$PETSTORE_API_KEY', 'Bearer ${PETSTORE_API_KEY}x'],
};

function nameField(auth: ExchangeResult['request']['auth']): string {
  return auth === 'lowerCaseField' ? 'authorization' : 'Authorization';
}

/** Fields that curl sends of its own accord, or that depend on the run. */
const LEFT_OUT = new Set(['authorization', 'accept-encoding', 'user-agent', 'content-length', 'accept']);

/** A command line that shows a finding again, or a sentence that none does. */
export function formatProof(target: string, exchange: ExchangeResult, { check, rule, at }: Shown): string {
  const { comparesAnswers, showsAlone = [] } = checks.find(({ id }) => id === check) ?? {};
  if (comparesAnswers === true && !showsAlone.includes(rule))
    return 'one request alone does not show it, since answers are compared';
  const line = formatCurl(target, exchange);
  // curl shows a body; what stands above it, only if it is asked to.
  const isAboveBody = at === 'status' || at.startsWith('header/');
  return isAboveBody && !line.startsWith('curl --head') ? line.replace(/^curl/, 'curl -i') : line;
}

type Shown = Pick<Finding, 'check' | 'rule' | 'at'>;

/** A command line that sends the request again. */
export function formatCurl(target: string, { request }: ExchangeResult): string {
  const shown = findHeader(request.headers, 'authorization');
  const isBasic = shown?.startsWith('Basic ') === true;
  const authorizations = shown === undefined || isBasic ? [] : [AUTHORIZATION[request.auth] ?? []].flat();
  const headers = Object.entries(request.headers).filter(([name]) => !LEFT_OUT.has(name.toLowerCase()));
  const accept = findHeader(request.headers, 'accept');
  return [
    'curl',
    ...(request.method === 'GET' ? [] : request.method === 'HEAD' ? ['--head'] : ['-X', request.method]),
    ...authorizations.flatMap((value) => ['-H', `"${nameField(request.auth)}: ${value}"`]),
    ...(isBasic ? ['-u', request.auth === 'valid' ? '"$PETSTORE_API_KEY:"' : "'wrong:'"] : []),
    // curl sends an Accept of its own, which few services treat differently from ours.
    ...(accept === 'application/json' ? [] : ['-H', quote(accept === undefined ? 'Accept:' : `Accept: ${accept}`)]),
    ...headers.flatMap(([name, value]) => ['-H', fillIn(`${name}: ${value}`, request.auth)]),
    ...(request.body === undefined ? [] : ['--data-raw', quote(request.body)]),
    fillIn(`${target}${request.path}`, request.auth),
  ].join(' ');
}

/** A text for a shell, with what the key was in its place. */
function fillIn(text: string, auth: ExchangeResult['request']['auth']): string {
  if (!text.includes(PLACEHOLDER)) return quote(text);
  const key = [AUTHORIZATION[auth] ?? ''].flat()[0] ?? '';
  return `"${text.replaceAll(/["\\`$]/g, String.raw`\$&`).replaceAll(PLACEHOLDER, () => key.replace(/^bearer /i, ''))}"`;
}

function findHeader(headers: ExchangeResult['request']['headers'], wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** For a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
