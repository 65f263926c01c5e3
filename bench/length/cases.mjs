// Requests of any length, one for each keyword and media type whose cost could grow faster than the length.
import { FORM, FORMATS } from './describe-api.mjs';

const repeat = (length, one) => {
  const parts = [];
  for (let index = 0, size = 0; size < length; index++) {
    const part = one(index);
    parts.push(part);
    size += part.length + 1;
  }
  return parts;
};
const listOf = (length, one) => `[${repeat(length, one).join(',')}]`;
const objectOf = (length, one) => `{${repeat(length, one).join(',')}}`;
const nested = (length, open, close, most) => {
  const depth = Math.min(Math.floor(length / (open.length + close.length)), most);
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
};

/** Each with a function that writes a request of about so many characters. */
export function listCases() {
  const post = (path, body, headers) => ({ path, body, headers });
  const bodies = {
    unique: {
      objects: (n) => listOf(n, (i) => `{"a":${i}}`),
      'large objects': (n) => listOf(n, (i) => `{"a":{"b":[1,2,"${i}"]},"c":"${'x'.repeat(99)}"}`),
    },
    'unique-numbers': {
      numbers: (n) => listOf(n, (i) => String(i)),
      exact: (n) => listOf(n, (i) => `${i}00000000000000000001`),
    },
    'unique-nested': { lists: (n) => listOf(n, (i) => `[[${i},{"a":${i}}]]`) },
    contains: { none: (n) => listOf(n, (i) => `{"a":"${i}"}`) },
    names: {
      good: (n) => objectOf(n, (i) => `"k${i}":1`),
      bad: (n) => objectOf(n, (i) => `"K${i}":1`),
      'a long one': (n) => `{"${'k'.repeat(n)}":1}`,
    },
    patterns: { good: (n) => objectOf(n, (i) => `"k${i}":"x"`), bad: (n) => objectOf(n, (i) => `"a${i}z":"x"`) },
    closed: { bad: (n) => objectOf(n, (i) => `"k${i}":1`) },
    unevaluated: { mixed: (n) => objectOf(n, (i) => `"k${i}":1`) },
    'unevaluated-items': { mixed: (n) => listOf(n, (i) => (i % 2 ? `"x"` : '1')) },
    dependent: { many: (n) => objectOf(n, (i) => `"k${i}":1`) },
    choices: { none: (n) => listOf(n, () => '{"c":1}'), both: (n) => listOf(n, () => '{"a":1,"b":1}') },
    told: {
      wrong: (n) => listOf(n, () => '{"kind":"Dog","bark":"x"}'),
      unknown: (n) => listOf(n, () => '{"kind":"Cow"}'),
    },
    tree: {
      deep: (n) => nested(n, '{"left":', '}', 63).replace('1', '{}'),
      wide: (n) => `{"items":${listOf(n, () => '{"left":1}')}}`,
    },
    'two-trees': { deep: (n) => nested(n / 40, '{"in":', '}', 63).replace('1', '{}') },
    enums: { none: (n) => listOf(n, (i) => `{"b":[1,${i}]}`) },
    types: { wrong: (n) => listOf(n, () => '"x"') },
    text: { long: (n) => `{"text":"${'a'.repeat(n)}!"}`, escaped: (n) => `{"text":"${'\\u0061'.repeat(n / 6)}"}` },
    anything: {
      list: (n) => listOf(n, (i) => String(i)),
      'names again': (n) => objectOf(n, () => '"a":1'),
      'exact names again': (n) => objectOf(n, () => '"a":1e5'),
      digits: (n) => `1${'0'.repeat(n)}1`,
      fraction: (n) => `0.${'1'.repeat(n)}`,
      exponents: (n) => listOf(n, () => '1e400'),
      exact: (n) => listOf(n, (i) => `{"a":1e5,"b":"${i}"}`),
      malformed: (n) => '['.repeat(60) + '"a",'.repeat(n / 4),
      brackets: (n) => '['.repeat(n),
    },
    numbers: {
      cents: (n) => listOf(n, (i) => `${i}.07`),
      wrong: (n) => listOf(n, (i) => `-${i}.071`),
      'long digits': (n) => listOf(n, () => `0.${'1'.repeat(900)}`),
    },
  };
  const named = Object.entries(bodies).flatMap(([path, kinds]) =>
    Object.entries(kinds).map(([kind, write]) => ({
      name: `${path}: ${kind}`,
      write: (n) => post(`/${path}`, write(n)),
    })),
  );
  const texts = {
    a: (n) => 'a'.repeat(n),
    'a.': (n) => 'a.'.repeat(n / 2),
    '@': (n) => `${'a.'.repeat(n / 4)}@${'a-'.repeat(n / 4)}!`,
    '/': (n) => 'http://a/' + '%20/a?'.repeat(n / 6) + '"',
    1: (n) => '1'.repeat(n) + 'x',
    ':': (n) => '1:'.repeat(n / 2),
    '{': (n) => '{a}'.repeat(n / 3) + '{',
    '(': (n) => '(a*'.repeat(n / 3),
    P: (n) => `P${'1D'.repeat(n / 2)}`,
    space: (n) => `a${' '.repeat(n)}b`,
  };
  const formats = FORMATS.flatMap((format) =>
    Object.entries(texts).map(([kind, write]) => ({
      name: `format ${format}: ${kind}`,
      write: (n) => post(`/format-${format}`, JSON.stringify({ text: write(n) })),
    })),
  );
  const asForm = { 'Content-Type': FORM };
  const asParts = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const parts = (n, one) =>
    `${repeat(n, (i) => `--b\r\nContent-Disposition: form-data; name="${one(i)}"\r\n\r\nx`).join('\r\n')}\r\n--b--\r\n`;
  /** @type {[string, (n: number) => string, Record<string, string>][]} */
  const formCases = [
    ['names', (n) => repeat(n, (i) => `k${i}=1`).join('&'), asForm],
    ['one name', (n) => repeat(n, () => 'tags=1').join('&'), asForm],
    ['a list in brackets', (n) => repeat(n, () => 'o[a][]=1').join('&'), asForm],
    ['members', (n) => repeat(n, (i) => `o[k${i}]=1`).join('&'), asForm],
    ['nested', (n) => `o${'[a]'.repeat(n / 3)}=1`, asForm],
    ['nested often', (n) => repeat(n, (i) => `o${'[a]'.repeat(60)}[b${i}]=1`).join('&'), asForm],
    ['escapes', (n) => `plain=${'%41'.repeat(n / 3)}`, asForm],
    ['parts', (n) => parts(n, (i) => `k${i}`), asParts],
    ['parts of one name', (n) => parts(n, () => 'tags'), asParts],
    [
      'a long head',
      (n) => `--b\r\nContent-Disposition: form-data; ${'; name='.repeat(n / 7)}\r\n\r\nx\r\n--b--\r\n`,
      asParts,
    ],
    ['many lines', (n) => `--b\r\n${'content-type:\n'.repeat(n / 14)}\r\n\r\nx\r\n--b--\r\n`, asParts],
    [
      'quotes',
      (n) => `--b\r\nContent-Disposition: form-data${';name="\\'.repeat(n / 8)}\r\n\r\nx\r\n--b--\r\n`,
      asParts,
    ],
  ];
  const forms = formCases.map(([name, write, headers]) => ({
    name: `form: ${name}`,
    write: (n) => post('/form', write(n), headers),
  }));
  const records = [
    {
      name: 'record: parts that lack what they must have',
      write: (n) => post('/items', `{"name":"x","parts":${listOf(n, () => '{"size":1}')}}`),
    },
    {
      name: 'record: parts of a wrong type',
      write: (n) => post('/items', `{"name":"x","parts":${listOf(n, () => '{"size":"x","unit":1}')}}`),
    },
    {
      name: 'record: further members',
      write: (n) => post('/items', `{"name":"x",${objectOf(n, (i) => `"k${i}":1`).slice(1)}`),
    },
  ];
  const patch = (type, body) => ({
    method: 'PATCH',
    path: '/items/1',
    headers: { 'Content-Type': `application/${type}+json` },
    body,
  });
  const patches = [
    {
      name: 'json patch: add ahead',
      write: (n) =>
        patch(
          'json-patch',
          `[{"op":"add","path":"/l","value":[]},${listOf(n, () => '{"op":"add","path":"/l/0","value":1}').slice(1)}`,
        ),
    },
    {
      name: 'json patch: copies',
      write: (n) =>
        patch(
          'json-patch',
          listOf(n, (i) => `{"op":"copy","from":"","path":"/c${i}"}`),
        ),
    },
    {
      name: 'json patch: tests of the whole',
      write: (n) =>
        patch(
          'json-patch',
          listOf(n, () => '{"op":"test","path":"","value":{}}'),
        ),
    },
    {
      name: 'json patch: a long path',
      write: (n) => patch('json-patch', `[{"op":"add","path":"${'/a'.repeat(n / 2)}","value":1}]`),
    },
    {
      name: 'merge patch: names',
      write: (n) =>
        patch(
          'merge-patch',
          objectOf(n, (i) => `"k${i}":null`),
        ),
    },
    {
      name: 'merge patch: nested',
      write: (n) => patch('merge-patch', `{"x":${objectOf(n, (i) => `"k${i}":{"a":{"b":null}}`)}}`),
    },
  ];
  const HEAD = 15_000;
  const get = (path, headers) => ({ method: 'GET', path, headers });
  const heads = [
    ['filter', (n) => get(`/items?${repeat(n, (i) => `name=${i}`).join('&')}`)],
    ['sort', (n) => get(`/items?sort=${repeat(n, (i) => (i % 2 ? 'name' : '-id')).join(',')}`)],
    ['unknown names', (n) => get(`/items?${repeat(n, (i) => `k${i}=1`).join('&')}`)],
    ['nested query', (n) => get(`/items?o${'[a]'.repeat(n / 3)}=1`)],
    ['list in a header field', (n) => get('/items', { 'X-List': repeat(n, (i) => String(i)).join(',') })],
    ['cookies', (n) => get('/items', { Cookie: repeat(n, (i) => `c${i}=1`).join('; ') })],
    ['Accept', (n) => get('/items', { Accept: repeat(n, (i) => `a/b${i};q=0.5`).join(',') })],
    ['Prefer', (n) => get('/items', { Prefer: repeat(n, (i) => `a${i}="x"`).join(',') })],
    ['If-None-Match', (n) => get('/items/1', { 'If-None-Match': repeat(n, (i) => `"${i}"`).join(',') })],
    ['path', (n) => get(`/${'a/'.repeat(n / 2)}`)],
    ['Content-Type', (n) => post('/form', 'a=1', { 'Content-Type': `${FORM}${';a=b'.repeat(n / 4)}` })],
  ].map(([name, write]) => ({ name: `head: ${String(name)}`, write, longest: HEAD }));
  return [...named, ...forms, ...records, ...patches, ...heads, ...formats];
}
