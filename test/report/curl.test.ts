import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { formatCurl, formatProof, quote } from '../../src/report/curl.js';
import { makeExchange } from './results.js';

const TARGET = 'http://127.0.0.1:4010/v1';
type Request = ReturnType<typeof makeExchange>['request'];

const makeRequest = (request: Partial<Request>) => makeExchange({ request: { ...makeExchange().request, ...request } });

/** The arguments as a shell hands them to curl. */
function readArguments(request: Partial<Request>): string[] {
  const command = formatCurl({ target: TARGET }, makeRequest(request));
  const print = `'${process.execPath}' -e 'console.log(JSON.stringify(process.argv.slice(1)))' --`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    PETSTORE_API_KEY: 'Key1',
    PETSTORE_CREDENTIALS: 'tokenAuth=old\ntokenAuth=t0ken\nwhole=Token "x"\npair[a.b]=me:s=c',
    CLIENT_SECRET: 'c1',
    X_GATEWAY_KEY: 'g1',
  };
  return JSON.parse(execFileSync('sh', ['-c', command.replace(/^curl/, print)], { encoding: 'utf8', env })) as string[];
}

/** What shows a finding again, of a check and at a place. */
function prove(request: Partial<Request>, check = 'status', at = 'status', rule = 'any'): string {
  return formatProof({ target: TARGET }, makeRequest(request), { check, rule, at });
}

test('a GET has the key and the URL', () =>
  expect(readArguments({})).toEqual(['-H', 'Authorization: Bearer Key1', `${TARGET}/pets?status=sold&limit=100`]));

test.each<[Request['auth'], ...string[]]>([
  ['missing'],
  ['wrong', 'Authorization: Bearer Lfz2'],
  ['empty', 'Authorization: Bearer '],
  ['truncated', 'Authorization: Bearer Key'],
  ['extended', 'Authorization: Bearer Key1x'],
  ['prefixed', 'Authorization: Bearer xKey1'],
  ['otherCase', 'Authorization: Bearer kEY1'],
  ['otherScheme', 'Authorization: Basic Key1'],
  ['bareKey', 'Authorization: Key1'],
  ['lowerCaseScheme', 'Authorization: bearer Key1'],
  ['lowerCaseField', 'authorization: Bearer Key1'],
  ['firstOfTwo', 'Authorization: Bearer Key1 other'],
  ['lastOfTwo', 'Authorization: Bearer other Key1'],
  ['amongOthers', 'Authorization: Bearer other,Key1'],
  ['quoted', 'Authorization: Bearer "Key1"'],
  ['beyondAscii', 'Authorization: Bearer Key1é'],
  ['wordUndefined', 'Authorization: Bearer undefined'],
  ['twoFields', 'Authorization: Bearer xKey1', 'Authorization: Bearer Key1x'],
])('a key that is %s is sent so', (auth, ...fields) => {
  expect(readArguments({ auth }).filter((arg) => /^authorization:/i.test(arg))).toEqual(fields);
});

test.each([
  [{ Accept: 'application/json' }, undefined],
  [{ Accept: 'text/csv' }, 'Accept: text/csv'],
  [{}, 'Accept:'],
])('of the fields %j, curl is told %j', (headers, told) => {
  expect(readArguments({ headers }).find((arg) => arg.startsWith('Accept'))).toBe(told);
});

const JSON_ALONE = { Accept: 'application/json' };

test('a body is sent byte by byte, with its media type', () => {
  const body = `{"name":"O'Malley $HOME \`id\` \\u0000 ü"}`;
  const headers = { ...JSON_ALONE, 'Content-Type': 'application/json', Authorization: '<valid>' };
  const args = readArguments({ method: 'POST', path: '/pets', headers, body });
  expect(args.slice(4)).toEqual(['-H', 'Content-Type: application/json', '--data-raw', body, `${TARGET}/pets`]);
});

type Credential = NonNullable<Request['credentials']>[number];
const cookies: Credential[] = [
  { kind: 'cookie', at: 'sid' },
  { kind: 'cookie', at: 'own', of: 'tokenAuth' },
];
const header: Credential = { kind: 'header', at: 'X-Api-Key' };
const field: Credential = { kind: 'word', at: 'Token', of: 'tokenAuth' };
const whole: Credential = { kind: 'header', at: 'Authorization', of: 'whole' };
const query: Credential = { kind: 'query', at: 'key' };
const basic: Credential = { kind: 'basic', at: 'Basic', lacksPassword: true };
const own: Credential = { kind: 'basic', at: 'Basic', of: 'pair[a.b]' };
const ownPair = `authorization: Basic ${Buffer.from('me:s=c').toString('base64')}`;
const hidden = '[redacted]';

test.each<[string, Record<string, string>, Credential[], string[], Partial<Request>?]>([
  ['a header field', { 'X-Api-Key': hidden }, [header], ['-H', 'X-Api-Key: Key1']],
  ['a wrong header field', { 'X-Api-Key': hidden }, [header], ['-H', 'X-Api-Key: Key'], { auth: 'truncated' }],
  ['a field with a word of its own', { Authorization: '<valid>' }, [field], ['-H', 'Authorization: Token t0ken']],
  ['the whole of the field', { Authorization: '<valid>' }, [whole], ['-H', 'Authorization: Token "x"']],
  ['the query', {}, [query], ['?a=$1&key=Key1'], { path: '/pets?a=$1&key=[redacted]' }],
  [
    'the query beside another secret',
    {},
    [query],
    ['?client_secret=c1&key=Lfz2'],
    { path: '/pets?client_secret=[redacted]&key=Lfz2', auth: 'wrong' },
  ],
  ['cookies', { Cookie: hidden }, cookies, ['-H', 'Cookie: sid=Key1; own=t0ken']],
  ['a Basic pair', { Authorization: 'Basic <valid>' }, [basic], ['-u', 'Key1:']],
  [
    'a Basic pair of its own',
    { authorization: 'Basic <lowerCaseField>' },
    [own],
    ['-H', ownPair],
    { auth: 'lowerCaseField' },
  ],
  [
    'a field that the user gave, and none by the contract',
    { 'X-Gateway-Key': hidden },
    [],
    ['-H', 'X-Gateway-Key: g1'],
  ],
  ['nothing', {}, [], []],
])('credentials in %s stand where they stood', (_, fields, credentials, args, more) => {
  const headers = { ...JSON_ALONE, ...fields };
  const sent = readArguments({ path: '/pets', headers, ...(credentials.length > 0 ? { credentials } : {}), ...more });
  const url = `${TARGET}/pets`;
  expect(sent).toEqual(args[0]?.startsWith('?') === true ? [url + args[0]] : [...args, url]);
});

test('a key is written as the run was given it', () => {
  const credentials = { tokenAuth: '$STAGING_TOKEN' };
  const shell = { apiKey: 'petstore-dev-key', credentials, headers: { 'x-trace': '$T' } };
  const show = (request: Partial<Request>) =>
    formatCurl({ target: TARGET, shell }, makeRequest({ path: '/', ...request })).split(` '${TARGET}/'`)[0];
  expect(show({})).toBe('curl -H "Authorization: Bearer petstore-dev-key"');
  const cut = `curl -H "Authorization: Bearer $(printf %s "petstore-dev-key" | sed 's/.$//')"`;
  expect(show({ auth: 'truncated' })).toBe(cut);
  expect(show({ credentials: [field] })).toBe('curl -H "Authorization: Token $STAGING_TOKEN"');
  expect(show({ headers: { ...JSON_ALONE, 'X-Trace': hidden } })).toBe('curl -H "X-Trace: $T"');
});

const post = (body: string, length: number) =>
  prove({ method: 'POST', body, headers: { ...makeExchange().request.headers, 'Content-Length': String(length) } });
const long = `"${'a'.repeat(2000)}"`;

test.each([
  ['"é"', 4, /^curl -i -X POST/],
  ['"é…', 40_000, /^the body of the request is not text, or was cut; --report har has what was sent$/],
  [long, long.length, /^the body of the request has 2002 characters; --report har has them$/],
])('a request that is not shown as it was sent is not offered as one: %.8s', (body, length, proof) => {
  expect(post(body, length)).toMatch(proof);
});

test('a body with line breaks is one line of a shell that sends them, also where a report spelled them out', () => {
  const command = String.raw`--data-raw "$(printf '{\n\t"name": "it'\''s"}')"`;
  expect(post('{\n\t"name": "it\'s"}', 18)).toContain(command);
  expect(post(String.raw`{\u000a\u0009"name": "it's"}`, 18)).toContain(command);
});

test('a quoted text is one word of a shell', () => expect(quote("it's")).toBe(String.raw`'it'\''s'`));

// Where answers were compared, no single request is a proof; a list that alone is too long, or has what it should not have, is.
test.each([
  ...['answered', 'expected-headers', 'expected-body', 'status'].map((check) => [check, 'any', /^curl /] as const),
  ...['equals', 'record', 'records', 'own-records'].map((check) => [check, 'any', /^one request alone does/] as const),
  ['records', 'limit', /^curl /],
  ['records', 'filter', /^curl /],
  ['records', 'distinct', /^one request alone does not show it/],
] as const)('what %s found by its rule %s is proved so', (check, rule, proof) => {
  expect(prove({}, check, 'body', rule)).toMatch(proof);
});

test.each([
  ['GET', 'status', /^curl -i -H /],
  ['GET', 'header/location', /^curl -i -H /],
  ['GET', 'body', /^curl -H /],
  ['HEAD', 'status', /^curl --head /],
])('what stands above the body is shown by curl too: %s, %s', (method, at, proof) => {
  expect(prove({ method }, 'status', at)).toMatch(proof);
});
