import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../support/folder.js';
import { PROGRAM } from '../support/run-program.js';
import { document, named, needed, nest, object, ring, text, times, to, type Schema } from './hard-schemas.js';

type Files = Record<string, string | Buffer>;

const paths = (operations: Schema): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: operations });
const operation = { responses: { 200: { description: '' } } };
const one = (content: string): Files => ({ 'api.yaml': content });
const doc = (...of: Parameters<typeof document>): Files => one(document(...of));
const only = (S: Schema): Files => doc({ S });
const ops = (operations: Schema): Files => one(paths(operations));
const yaml = (body: string): Files => one(`openapi: 3.1.0\ninfo: { title: T, version: '1' }\n${body}`);

const DOCUMENTS: Record<string, Files> = {
  // Recursion and rings
  'a schema that is itself': only(to('S')),
  'a schema that is itself by allOf': only({ allOf: [to('S')] }),
  'a schema that is itself by oneOf of another': doc({ S: { oneOf: [to('B')] }, B: { anyOf: [to('S')] } }),
  'a schema that is not itself': only({ not: to('S') }),
  'an if of itself': only({ if: to('S'), else: to('S') }),
  'a required property of its own kind': only(needed({ s: to('S') })),
  'a list of at least two of its own kind': only({ type: 'array', minItems: 2, items: to('S') }),
  'a ring of 3,000 references': doc(ring(3000, (next) => next)),
  'a ring of 3,000 properties': doc(ring(3000, (next) => needed({ n: next }))),
  'a ring of 2,000 allOf': doc(ring(2000, (next) => ({ allOf: [next, object({ a: text })] }))),
  'a ring of 500 oneOf': doc(ring(500, (next) => ({ oneOf: [next, text] }))),
  'a map of its own kind': only({ type: 'object', minProperties: 1, additionalProperties: to('S') }),
  'a pattern property of its own kind': only({ type: 'object', patternProperties: { '^a': to('S') } }),
  'a parameter that is itself': ops({
    '/a': { get: { ...operation, parameters: [{ $ref: '#/paths/~1a/get/parameters/0' }] } },
  }),
  'a path item that is itself': ops({ '/a': { $ref: '#/paths/~1a' } }),
  'files in a ring': Object.fromEntries(
    times(300, (index) => [
      index === 0 ? 'api.yaml' : `f${index}.yaml`,
      index === 0 ? document({ S: { $ref: 'f1.yaml' } }) : JSON.stringify({ $ref: `f${(index % 299) + 1}.yaml` }),
    ]),
  ),
  'a $dynamicRef in a ring': only({ $dynamicAnchor: 'n', properties: { a: { $dynamicRef: '#n' } }, required: ['a'] }),
  'an $id that is that of another': doc({ S: { $id: 'x', $ref: 'x' }, B: { $id: 'x' } }),
  // Bombs
  'an alias bomb': yaml(
    `x: &a0 [${'x,'.repeat(9)}]\n${times(9, (at) => `x${at}: &a${at + 1} [${`*a${at},`.repeat(9)}]`).join('\n')}\npaths: {}`,
  ),
  'an alias of what it is in': yaml('x: &a { a: *a }\npaths: {}'),
  'a merge bomb': yaml(
    `${times(20, (at) => `x${at}: &m${at} { a${at}: 1${at === 0 ? '' : `, <<: [${`*m${at - 1},`.repeat(5)}]`} }`).join('\n')}\npaths: {}`,
  ),
  'allOf that doubles at each of 25 levels': doc(
    named(25, (at) => (at === 24 ? object({ a: text }) : { allOf: [to(`S${at + 1}`), to(`S${at + 1}`)] })),
  ),
  'oneOf that doubles at each of 25 levels': doc(
    named(25, (at) => (at === 24 ? text : { oneOf: [to(`S${at + 1}`), to(`S${at + 1}`)] })),
  ),
  'properties that double at each of 25 levels': doc(
    named(25, (at) => (at === 24 ? text : needed({ a: to(`S${at + 1}`), b: to(`S${at + 1}`) }))),
  ),
  'a list of at least a billion': only({ type: 'array', minItems: 1e9, items: text }),
  'a text of at least a billion': only({ type: 'string', minLength: 1e9 }),
  'an object of at least a million': only({ type: 'object', minProperties: 1e6 }),
  'contains at least a million': only({ type: 'array', minContains: 1e6, contains: text }),
  'a multiple of almost nothing': only({ type: 'number', multipleOf: 1e-300, minimum: 1e300 }),
  'bounds past every number': only({ type: 'number', minimum: 1e308, exclusiveMinimum: 1.7e308, maximum: 1.79e308 }),
  'a number of 100,000 digits': one(
    document({ S: { default: 0 } }).replace('"default":0', `"default":${'9'.repeat(100_000)}`),
  ),
  'an exponent of a million': one(document({ S: { default: 0 } }).replace('"default":0', '"default":1e1000000')),
  'an enum of 100,000': only({ enum: times(100_000, (index) => `e${index}`) }),
  '20,000 properties': only(object(Object.fromEntries(times(20_000, (index) => [`p${index}`, text])))),
  '3,000 operations': ops(Object.fromEntries(times(3000, (index) => [`/p${index}/{id}`, { get: operation }]))),
  'a path of 5,000 parameters': ops({ [times(5000, (index) => `/{p${index}}`).join('')]: { get: operation } }),
  '100,000 tags': one(
    paths({}).replace('}}', `},"tags":[${times(100_000, (index) => `{"name":"t${index}"}`).join()}]}`),
  ),
  // Patterns
  'a pattern that backtracks': only(needed({ a: { type: 'string', pattern: '^(a+)+$', minLength: 40 } })),
  'a pattern of 20,000 brackets': only({ type: 'string', pattern: `${'('.repeat(20_000)}${')'.repeat(20_000)}` }),
  'a pattern that repeats a million times': only({ type: 'string', pattern: '^(?:a{1000}){1000}$' }),
  'a pattern of 100,000 letters': only({ type: 'string', pattern: `^${'a'.repeat(100_000)}$` }),
  'a pattern that nothing matches': only(needed({ a: { type: 'string', pattern: '^(?!)$' } })),
  // Nesting
  'allOf in allOf, 3,000 deep': only(nest(3000, (inside) => ({ allOf: [inside] }))),
  'properties in properties, 3,000 deep': only(nest(3000, (inside) => object({ a: inside }))),
  'brackets in YAML, 100,000 deep': yaml(`x: ${'['.repeat(100_000)}`),
  'lines in YAML, 3,000 deep': yaml(times(3000, (at) => `${' '.repeat(at)}a:`).join('\n')),
  'an example 3,000 deep': only({ example: nest(3000, (inside) => ({ a: inside })) }),
  // Control characters
  'a title that steers the terminal': doc(
    { S: text },
    { info: { title: '\u001b[2J\u001b[31m\r\nforged: line', version: '\u0007' } },
  ),
  'names of controls': doc({
    'S\u0000\u001b': object({ '\u001b[2J': text, '\u202e': text }, { required: ['\u001b[2J', 'gone\r\nX: y'] }),
  }),
  'header fields with line ends': ops({
    '/a': {
      get: {
        responses: {
          200: {
            description: '',
            headers: { 'X\r\nSet-Cookie': { schema: text }, 'X-A': { schema: text, example: 'a\r\nSet-Cookie: b' } },
          },
        },
      },
    },
  }),
  'an operationId and a path of __proto__': ops({
    '/__proto__': { get: { ...operation, operationId: '__proto__' } },
    '/constructor': { get: { ...operation, operationId: 'constructor' } },
  }),
  'schemas of __proto__': one(document({ S: to('__proto__') }).replace('"S":', '"__proto__":{"type":"object"},"S":')),
  'bytes that are no UTF-8': {
    'api.yaml': Buffer.concat([Buffer.from(document({ S: text })), Buffer.from([0xff, 0xfe, 0xc0])]),
  },
  'a NUL': one(`${document({ S: text })}\0`),
  'UTF-16': { 'api.yaml': Buffer.from(`\ufeff${document({ S: text })}`, 'utf16le') },
  // Other files
  'a reference to /etc/passwd': only({ $ref: '/etc/passwd' }),
  'a reference out of the folder': only({ $ref: '../../../../etc/hostname' }),
  'a reference with escapes out of the folder': only({ $ref: '%2e%2e/%2e%2e/etc/passwd' }),
  'a link out of the folder': { ...doc({ S: { $ref: 'link.yaml' } }), 'link.yaml': '-> /etc/passwd' },
  'a reference to a device': only({ $ref: '/dev/zero' }),
  'a reference to its folder': only({ $ref: './' }),
  'a reference to a URL of this machine': only({ $ref: 'http://127.0.0.1:1/x.yaml' }),
  'servers that are no URLs': one(
    paths({}).replace(
      '{"openapi"',
      '{"servers":[{"url":"http://[::"},{"url":"javascript:alert(1)"},{"url":"//"}],"openapi"',
    ),
  ),
  'everything of another type': one(
    '{"openapi":"3.1.0","info":[],"paths":[1],"components":"x","servers":3,"security":{}}',
  ),
};

const LIMITS = 'ulimit -t 60; exec "$0" --max-old-space-size=384 "$@"';

type End = { code: number; output: string };

/** The program with so much memory and processor time. */
function check(folder: string): Promise<End> {
  const args = ['-c', LIMITS, process.execPath, PROGRAM, '--check', '--no-prism', '--spec', 'api.yaml'];
  const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile('sh', args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout + stderr }),
    );
  });
}

test.concurrent.each(Object.entries(DOCUMENTS))(
  '%s ends in a sentence, or is served, within bounds',
  async (_, files) => {
    const folder = makeFolder();
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      const link = typeof content === 'string' ? /^-> (.*)$/.exec(content)?.[1] : undefined;
      if (link === undefined) writeFileSync(path, content);
      else symlinkSync(link, path);
    }
    const { code, output } = await check(folder);
    expect([0, 2]).toContain(code);
    expect(output).not.toMatch(/ {4}at |this is a bug|call stack|root:x:/);
    // eslint-disable-next-line no-control-regex -- that is what it is about
    expect(output.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u202e]/);
    expect(output).toMatch(code === 2 ? /^petstore-mock: .+\n$/ : /^contract /);
  },
);
