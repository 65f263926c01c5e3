import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { words } from '../../support/words.js';
/** A request of the fixed replay, written for the default mutation server. */
export interface ReplayRequest {
  readonly method: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'OPTIONS';
  /** Below the base URL. */
  readonly target: string;
  readonly headers: Headers;
  readonly body?: string;
  /** Sends the body in two writes, cut within its first letter beyond ASCII: in chunks, or under its length. */
  readonly cut?: 'chunks' | 'pieces';
  /** Sends the target with its origin, the head in two packets, or a trailer behind the chunks of the body. */
  readonly form?: 'absolute' | 'headInPieces' | 'trailer' | 'otherSpaces' | 'chunkExtension';
}

/** One request, or several that are sent at the same time. */
export type ReplayStep = ReplayRequest | readonly ReplayRequest[];

/** A list of values is that many fields of the name. */
type Headers = Readonly<Record<string, string | string[]>>;

/** A fixed list that touches everything the interface states; see the test that uses it. */
export function makeReplay(apiKey: string): ReplayStep[] {
  const key: Headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' };
  const get = (target: string, headers: Headers = key): ReplayRequest => ({ method: 'GET', target, headers });
  const post = (body: string, headers: Headers = key): ReplayRequest => ({
    method: 'POST',
    target: '/pets',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  const typed = (body: string, type: string): ReplayRequest => ({
    ...post(body),
    headers: { ...key, 'content-type': type },
  });
  const lists = listTargets.map((target) => get(target));

  return [
    ...lists,
    ...fetchTargets.map((target) => get(target)),
    ...badAuthorizations(apiKey).flatMap((headers) => [
      get('/pets?limit=2', headers),
      get('/pets?limit=2&status=sold', headers),
      get('/pets/103', headers),
      get('/pets/999999', headers),
      post('{"name":"Keyless","categoryId":1}', headers),
      post('{"name":1}', headers),
    ]),
    // A valid call right after a refused one, then each key problem once more.
    get('/pets?limit=1'),
    get('/pets?limit=1', {}),
    get('/pets?limit=1'),
    get('/pets', { authorization: `Bearer ${apiKey}` }),
    get('/pets/101', { ...key, accept: '*/*' }),
    ...validBodies.map((body) => post(body)),
    twice(post('{"name":"At once 1","categoryId":1}')),
    ...invalidBodies.map((body) => post(body)),
    ...lists,
    ...Array.from({ length: validBodies.length + 2 }, (_, index) => get(`/pets/${146 + index}`)),
    get('/pets/146'),
    get('/pets/146abc'),
    { method: 'HEAD', target: '/pets', headers: key },
    { method: 'PUT', target: '/pets/101', headers: key, body: '{}' },
    { method: 'OPTIONS', target: '/pets', headers: {} },
    get('/store/orders'),
    get('/pets?limit=16'),
    get('/pets?limit=10&status=pending'),
    get('/pets?limit=100', {}),
    get('/pets/9223372036854775807', {}),
    typed('{"name":"Charset","categoryId":1}', 'application/json; charset=utf-8'),
    ...twice(post('{"name":"Double","categoryId":1,"status":"sold"}')),
    { ...post(CUT_WITHIN_A_LETTER), cut: 'pieces' },
    { ...post(CUT_WITHIN_A_LETTER), cut: 'chunks' },
    { ...get('/pets/101'), form: 'absolute' },
    { ...get('/pets/101'), form: 'headInPieces' },
    { ...get('/pets/101'), form: 'otherSpaces' },
    { ...post('{"name":"Chunk","categoryId":1}'), form: 'chunkExtension' },
    get('/pets/101', { AUTHORIZATION: `Bearer ${apiKey}`, ACCEPT: 'application/json' }),
    get('/pets/101?'),
    ...[key, {}].flatMap((shown) =>
      ['/pets/101', '/pets?limit=1'].map((target) => get(target, { ...shown, 'if-none-match': `"${'0'.repeat(40)}"` })),
    ),
    get('/pets/%31%30%31'),
    post('{"status":"sold","categoryId":1,"name":"Reversed"}'),
    post('{"n\\u0061me":"Escaped member","categoryId":1}'),
    post('{"name":"Escaped v\\u0061lue","categoryId":1}'),
    post('{"name":"Folded","categoryId":1,"status":"\uFF53old"}'),
    post('{"name":"Respelt","category_id":1}'),
    { ...post('{"name":"Expected","categoryId":1}'), headers: { ...key, expect: '100-continue' } },
    { ...post('{"name":"Trailer","categoryId":1}'), headers: { ...key, trailer: 'x-no-such' }, form: 'trailer' },
    ...listClientFields('real-clients').flatMap((fields) => [
      get('/pets/999999', { authorization: `Bearer ${apiKey}`, ...fields }),
      get('/pets?limit=2', fields),
      post('{}', { authorization: `Bearer ${apiKey}`, ...fields }),
      post('{"name":"Client","categoryId":1}', { authorization: `Bearer ${apiKey}`, ...fields }),
    ]),
    post('{"name":"Zo\\u00eb \\ud83d\\udc3e","categoryId":1}'),
    post('{"name":"Exponent","categoryId":12e0}'),
    post('{"Name":"Capital","categoryId":1}'),
    ...listClientFields('clients').flatMap((fields) => [
      get('/pets?limit=2', { ...key, ...fields }),
      get('/pets/101', { ...key, ...fields }),
      get('/pets/999999', { ...key, ...fields }),
      get('/pets?limit=2', fields),
      post('{}', { ...key, ...fields }),
    ]),
    get('/pets?limit=2', { authorization: `Bearer ${apiKey}`, 'accept-encoding': 'br', 'user-agent': 'x' }),
    twice(post('{"name":"Equal","categoryId":1}')),
    get('/pets?limit=100'),
    get('/pets?status=%73old'),
    get('/pets?%73tatus=sold'),
    ...Array.from({ length: 12 }, (_, index) => get(`/pets/${101 + index}`)),
    typed('{"name":"Capitals","categoryId":1}', 'Application/JSON'),
    get('/pets?limit=1', { ...key, 'if-none-match': '"limit=1"' }),
    get('/pets/120'),
    ...['0-9', '-5', '3-', '99999999-'].map((range) => get('/pets/101', { ...key, range: `bytes=${range}` })),
    get('/pets?limit=2', { ...key, 'accept-encoding': 'deflate' }),
    get('/pets?limit=2', { ...key, accept: 'application/*' }),
    get('/pets?limit=2', { ...key, accept: 'application/json;q=0.9, */*;q=0.1' }),
    post('{"name":"=a\u00A0b\u2028 {{7*7}}","categoryId":1}'),
  ];
}

const twice = (request: ReplayRequest) => [request, request];

const CUT_WITHIN_A_LETTER = '{"name":"É, cut in two","categoryId":1}';

const listTargets = [
  '/pets',
  '/pets?limit=3',
  '/pets',
  ...[1, 2, 5, 9, 10, 11, 13, 19, 20, 21, 45, 49, 50, 51, 60, 99, 100].map((limit) => `/pets?limit=${limit}`),
  ...['available', 'pending', 'sold'].flatMap((status) => [
    `/pets?status=${status}`,
    `/pets?status=${status}&limit=1`,
    `/pets?limit=3&status=${status}`,
    `/pets?limit=50&status=${status}`,
    `/pets?status=${status}&limit=100`,
  ]),
  ...words`/pets /pets?limit=0 /pets?limit=101 /pets?limit=ten /pets?status=lost /pets?status=SOLD`,
];

// Two that do not exist yet, one with a percent escape; at last a neighbour as a double, 101 in 32 bits, the edges of int64.
const fetchTargets = words`
  147 150 %3101 101 102 104 106 103 103 145 999999 999998 0 1 -1 -101 10 abc 1.5
  9007199254740992 9007199254740993 4294967397 9223372036854775807 9223372036854775808 -9223372036854775808 %zz
`.map((id) => `/pets/${id}`);

function badAuthorizations(key: string): Headers[] {
  const wrongTokens = ['wrong', 'x'.repeat(key.length), `${key.slice(0, -1)}x`, key.slice(0, 5), `${key}1`, `1${key}`];
  const oddTokens = [`${key} x`, `x ${key}`, `x,${key}`, 'undefined', 'null', '*', `${key}\u00C3\u00A9`, `"${key}"`];
  return [
    {},
    ...[...wrongTokens, key.toLowerCase()].map((token) => ({ authorization: `Bearer ${token}` })),
    ...['Bearer', `Basic ${key}`, key].map((authorization) => ({ authorization })),
    ...oddTokens.map((token) => ({ authorization: `Bearer ${token}` })),
    { authorization: ['Bearer x', 'Bearer y'] },
  ];
}

/** A body with the rest of its members as JSON. */
function pet(name: string, rest: string): string {
  return `{"name":"${name}",${rest}}`;
}

const validBodies = [
  pet('Rex', '"categoryId":1'),
  pet('Rex', '"categoryId":1,"status":"available"'),
  pet('Pia', '"categoryId":2,"status":"pending"'),
  pet('Sam', '"categoryId":3,"status":"sold"'),
  pet('  Two  spaces  ', '"categoryId":4'),
  pet('Tom & \\"Jerry\\" <b>\'s</b> \\\\ + 100%25\\n\\tnext', '"categoryId":5'),
  ...['Zoë Müller', 'Zoe\\u0308'].map((name) => pet(name, '"categoryId":1')),
  pet('Cat 🐈 astral 𝒞', '"categoryId":2,"status":"sold"'),
  ...['nul\\u0000nul', 'null', 'true', '12345', ''].map((name) => pet(name, '"categoryId":2')),
  pet('long '.repeat(80), '"categoryId":2,"status":"pending"'),
  pet('Zero', '"categoryId":0'),
  pet('Minus', '"categoryId":-7'),
  pet('Past int32', '"categoryId":2147483648'),
  pet('Past double', '"categoryId":9007199254740993'),
  pet('Largest', '"categoryId":9223372036854775807'),
  pet('Smallest', '"categoryId":-9223372036854775808'),
  ` \n${pet('After space', '"categoryId":1')}`,
  ...[
    ...words`no ~ 0 12 1e3 0x1F <script>1</script>`,
    ':dog: @all',
    ...words`2024-02-29 undefined constructor __proto__`,
    'Same Rex',
    'Same \uFF32\uFF45\uFF58',
    'Same R\u200Dex',
    'Z\u0351\u034A\u0321',
    '\u00E9'.repeat(250),
    '“typographic… — signs”',
    'כלב\u200F',
  ].map((name) => pet(name, '"categoryId":1')),
];

const invalidBodies = [
  '',
  '{',
  '{"name":"Cut","categoryId":1',
  '{"name":"Comma","categoryId":1,}',
  `{'name':"Quotes","categoryId":1}`,
  '{/* a comment */"name":"Comment","categoryId":1}',
  '{"name":"Not a number","categoryId":NaN}',
  '{"name":"Trailing","categoryId":1} garbage',
  ...words`{} null [] [{"name":"Listed","categoryId":1}] "{\"name\":\"Quoted\",\"categoryId\":1}" {"categoryId":1}`,
  '{"noSuchField":{"name":"Nested","categoryId":1}}',
  '{"name":"No category"}',
  ...words`null 12 true {"en":"Rex"} ["Rex"]`.map((name) => `{"name":${name},"categoryId":1}`),
  ...[`1${'0'.repeat(5000)}`, ...words`1e1000000 null "12" "twelve" 1.5 true [1] 9223372036854775808`].map((id) =>
    pet('Bad category', `"categoryId":${id}`),
  ),
  ...['null', '""', '"lost"', '"SOLD"', '" sold "', '1', '["sold"]'].map((status) =>
    pet('Bad status', `"categoryId":1,"status":${status}`),
  ),
];

/** The header fields that the runner tries, in lower case. */
function listClientFields(table: 'clients' | 'real-clients'): Headers[] {
  const text = readFileSync(new URL(`../../../scenarios/cases/${table}.yaml`, import.meta.url), 'utf8');
  const { rows } = parse(text) as { rows: { headers: Record<string, string | null> }[] };
  const lower = (headers: Record<string, string | null>) =>
    Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name.toLowerCase(), value]]));
  return rows.map(({ headers }) => Object.fromEntries(lower(headers)) as Headers);
}
