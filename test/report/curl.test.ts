import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { formatCurl, formatProof, quote } from '../../src/report/curl.js';
import { makeExchange } from './results.js';

const TARGET = 'http://127.0.0.1:4010/v1';
type Request = ReturnType<typeof makeExchange>['request'];

/** The arguments as a shell hands them to curl. */
function readArguments(request: Partial<Request>): string[] {
  const command = formatCurl({ target: TARGET }, makeExchange({ request: { ...makeExchange().request, ...request } }));
  const script = command.replace(
    /^curl/,
    `'${process.execPath}' -e 'console.log(JSON.stringify(process.argv.slice(1)))' --`,
  );
  const env = {
    PATH: process.env['PATH'] ?? '',
    PETSTORE_API_KEY: 'Key1',
    PETSTORE_CREDENTIALS: 'tokenAuth=old\ntokenAuth=t0ken\nwhole=Token "x"\npair[a.b]=me:s=c',
    CLIENT_SECRET: 'c1',
    X_GATEWAY_KEY: 'g1',
  };
  return JSON.parse(execFileSync('sh', ['-c', script], { encoding: 'utf8', env })) as string[];
}

test('a GET has the key and the URL', () =>
  expect(readArguments({})).toEqual(['-H', 'Authorization: Bearer Key1', `${TARGET}/pets?status=sold&limit=100`]));

test.each([
  ['missing', undefined],
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
  ['wordNull', 'Authorization: Bearer null'],
  ['star', 'Authorization: Bearer *'],
] as [Request['auth'], string | undefined][])('a key that is %s is sent so', (auth, header) => {
  expect(readArguments({ auth }).find((arg) => /^authorization:/i.test(arg))).toBe(header);
});

test('two fields of a name are sent as two', () => {
  const args = readArguments({ auth: 'twoFields' });
  expect(args.filter((arg) => arg.startsWith('Authorization:'))).toEqual([
    'Authorization: Bearer xKey1',
    'Authorization: Bearer Key1x',
  ]);
});

test.each([
  [{ Accept: 'application/json' }, undefined],
  [{ Accept: 'text/csv' }, 'Accept: text/csv'],
  [{}, 'Accept:'],
])('of the fields %j, curl is told %j', (headers, told) => {
  expect(readArguments({ headers }).find((arg) => arg.startsWith('Accept'))).toBe(told);
});

test('a body is sent byte by byte, with its media type', () => {
  const body = `{"name":"O'Malley $HOME \`id\` \\u0000 ü"}`;
  const args = readArguments({
    method: 'POST',
    path: '/pets',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', Authorization: '<valid>' },
    body,
  });
  expect(args.slice(4)).toEqual(['-H', 'Content-Type: application/json', '--data-raw', body, `${TARGET}/pets`]);
});

const JSON_ALONE = { Accept: 'application/json' };

test.each<[string, Partial<Request>, string[]]>([
  [
    'a header field',
    { headers: { ...JSON_ALONE, 'X-Api-Key': '[redacted]' }, credentials: [{ kind: 'header', at: 'X-Api-Key' }] },
    ['-H', 'X-Api-Key: Key1', `${TARGET}/pets`],
  ],
  [
    'a wrong header field',
    {
      headers: { ...JSON_ALONE, 'X-Api-Key': '[redacted]' },
      credentials: [{ kind: 'header', at: 'X-Api-Key' }],
      auth: 'truncated',
    },
    ['-H', 'X-Api-Key: Key', `${TARGET}/pets`],
  ],
  [
    'a field with a word of its own',
    {
      headers: { ...JSON_ALONE, Authorization: '<valid>' },
      credentials: [{ kind: 'word', at: 'Token', of: 'tokenAuth' }],
    },
    ['-H', 'Authorization: Token t0ken', `${TARGET}/pets`],
  ],
  [
    'the whole of the field',
    {
      headers: { ...JSON_ALONE, Authorization: '<valid>' },
      credentials: [{ kind: 'header', at: 'Authorization', of: 'whole' }],
    },
    ['-H', 'Authorization: Token "x"', `${TARGET}/pets`],
  ],
  [
    'the query',
    { headers: JSON_ALONE, path: '/pets?a=$1&key=[redacted]', credentials: [{ kind: 'query', at: 'key' }] },
    [`${TARGET}/pets?a=$1&key=Key1`],
  ],
  [
    'the query beside another secret',
    {
      headers: JSON_ALONE,
      path: '/pets?client_secret=[redacted]&key=Lfz2',
      credentials: [{ kind: 'query', at: 'key' }],
      auth: 'wrong',
    },
    [`${TARGET}/pets?client_secret=c1&key=Lfz2`],
  ],
  [
    'cookies',
    {
      headers: { ...JSON_ALONE, Cookie: '[redacted]' },
      credentials: [
        { kind: 'cookie', at: 'sid' },
        { kind: 'cookie', at: 'own', of: 'tokenAuth' },
      ],
    },
    ['-H', 'Cookie: sid=Key1; own=t0ken', `${TARGET}/pets`],
  ],
  [
    'a Basic pair',
    {
      headers: { ...JSON_ALONE, Authorization: 'Basic <valid>' },
      credentials: [{ kind: 'basic', at: 'Basic', lacksPassword: true }],
    },
    ['-u', 'Key1:', `${TARGET}/pets`],
  ],
  [
    'a Basic pair of its own',
    {
      headers: { ...JSON_ALONE, authorization: 'Basic <lowerCaseField>' },
      credentials: [{ kind: 'basic', at: 'Basic', of: 'pair[a.b]' }],
      auth: 'lowerCaseField',
    },
    ['-H', `authorization: Basic ${Buffer.from('me:s=c').toString('base64')}`, `${TARGET}/pets`],
  ],
  [
    'a field that the user gave, and none by the contract',
    { headers: { ...JSON_ALONE, 'X-Gateway-Key': '[redacted]' } },
    ['-H', 'X-Gateway-Key: g1', `${TARGET}/pets`],
  ],
  ['nothing', { headers: JSON_ALONE }, [`${TARGET}/pets`]],
])('credentials in %s stand where they stood', (_, request, args) => {
  expect(readArguments({ path: '/pets', ...request })).toEqual(args);
});

test('a key is written as the run was given it', () => {
  const shell = {
    apiKey: 'petstore-dev-key',
    credentials: { tokenAuth: '$STAGING_TOKEN' },
    headers: { 'x-trace': '$T' },
  };
  const write = (request: Partial<Request>): string =>
    formatCurl(
      { target: TARGET, shell },
      makeExchange({ request: { ...makeExchange().request, path: '/', ...request } }),
    );
  expect([
    write({}),
    write({ auth: 'truncated' }),
    write({ credentials: [{ kind: 'word', at: 'Token', of: 'tokenAuth' }] }),
    write({ headers: { ...JSON_ALONE, 'X-Trace': '[redacted]' } }),
  ]).toEqual([
    `curl -H "Authorization: Bearer petstore-dev-key" '${TARGET}/'`,
    `curl -H "Authorization: Bearer $(printf %s "petstore-dev-key" | sed 's/.$//')" '${TARGET}/'`,
    `curl -H "Authorization: Token $STAGING_TOKEN" '${TARGET}/'`,
    `curl -H "X-Trace: $T" '${TARGET}/'`,
  ]);
});

test('a request that is not shown as it was sent is not offered as one', () => {
  const { request } = makeExchange();
  const prove = (body: string, length: number): string => {
    const headers = { ...request.headers, 'Content-Length': String(length) };
    const shown = makeExchange({ request: { ...request, method: 'POST', headers, body } });
    return formatProof({ target: TARGET }, shown, { check: 'status', rule: 'any', at: 'status' });
  };
  const long = `"${'a'.repeat(2000)}"`;
  expect([prove('"é"', 4), prove('"é…', 40_000), prove(long, long.length)]).toEqual([
    expect.stringMatching(/^curl -i -X POST/),
    'the body of the request is not text, or was cut; --report har has what was sent',
    'the body of the request has 2002 characters; --report har has them',
  ]);
});

test('a body with line breaks is one line of a shell that sends them, also where a report spelled them out', () => {
  const { request } = makeExchange();
  const prove = (body: string, length: number): string => {
    const headers = { ...request.headers, 'Content-Length': String(length) };
    const shown = makeExchange({ request: { ...request, method: 'POST', headers, body } });
    return formatProof({ target: TARGET }, shown, { check: 'status', rule: 'any', at: 'status' });
  };
  const command = String.raw`--data-raw "$(printf '{\n\t"name": "it'\''s"}')"`;
  expect(prove('{\n\t"name": "it\'s"}', 18)).toContain(command);
  expect(prove(String.raw`{\u000a\u0009"name": "it's"}`, 18)).toContain(command);
});

test('a quoted text is one word of a shell', () => expect(quote("it's")).toBe(String.raw`'it'\''s'`));

test('a finding in one answer comes with the request that shows it', () => {
  for (const check of ['answered', 'expected-headers', 'expected-body', 'status'])
    expect(formatProof({ target: TARGET }, makeExchange(), { check, rule: 'any', at: 'body' })).toMatch(/^curl /);
});

test('where answers were compared, no single request is offered as proof', () => {
  for (const check of ['equals', 'record', 'records', 'own-records'])
    expect(formatProof({ target: TARGET }, makeExchange(), { check, rule: 'any', at: 'body' })).toMatch(
      /^one request alone does not show it/,
    );
});

test('a list that alone is too long, or has what it should not have, is a proof though other lists are compared', () => {
  const prove = (rule: string): string =>
    formatProof({ target: TARGET }, makeExchange(), { check: 'records', rule, at: 'body' });
  expect([prove('limit'), prove('filter')]).toEqual([expect.stringMatching(/^curl /), expect.stringMatching(/^curl /)]);
  expect(prove('distinct')).toMatch(/^one request alone does not show it/);
});

test('what stands above the body is shown by curl too', () => {
  const prove = (at: string, method = 'GET'): string => {
    const { request } = makeExchange();
    return formatProof({ target: TARGET }, makeExchange({ request: { ...request, method } }), {
      check: 'status',
      rule: 'any',
      at,
    });
  };
  expect([prove('status'), prove('header/location')]).toEqual([
    expect.stringMatching(/^curl -i -H /),
    expect.stringMatching(/^curl -i -H /),
  ]);
  expect([prove('body'), prove('status', 'HEAD')]).toEqual([
    expect.stringMatching(/^curl -H /),
    expect.stringMatching(/^curl --head /),
  ]);
});
