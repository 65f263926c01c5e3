import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toCopied, toCurl, toFetch, toVitest, writeText } from '../../src/console/copy-as.js';

const headers = {
  authorization: '[redacted]',
  cookie: '[redacted]',
  'content-type': 'application/json',
  host: 'x',
  'user-agent': 'y',
};
const request = { headers, body: { name: "it's", categoryId: 9007199254740993n } };
const recorded = { method: 'POST', url: '/v1/pets', request };

test('a request is copied without what a client sets itself, with the documented key', () => {
  expect(toCopied(recorded, 'http://h', { Authorization: 'Bearer petstore-dev-key' })).toEqual({
    method: 'POST',
    url: 'http://h/v1/pets',
    headers: { authorization: 'Bearer petstore-dev-key', 'content-type': 'application/json' },
    body: '{"name":"it\'s","categoryId":9007199254740993}',
  });
});

test('a key that is not shown is a variable', () => {
  const copied = toCopied(recorded, 'http://h', { Authorization: 'Bearer $PETSTORE_API_KEY' });
  expect(toCurl(copied)).toContain(`-H 'authorization: Bearer '"$PETSTORE_API_KEY"`);
  const written = toVitest(copied, { status: 201, operationId: 'createPet', base: '/v1', isClientAtFault: false });
  expect(written).toContain('`Bearer ${process.env.PETSTORE_API_KEY}`');
});

test.each(["it's", '$(id)', '`id`', '"', '\\', 'a\nb', '$PETSTORE_API_KEY!', '-n', '‮', ''])(
  'a shell reads %j as it was sent',
  (name) => {
    const copied = { method: 'POST', url: 'http://h/', headers: {}, body: `{"name":${JSON.stringify(name)}}` };
    const words = execFileSync('sh', ['-c', `set -- ${toCurl(copied)}; printf '%s\\0' "$@"`], {
      env: { PETSTORE_API_KEY: '$PETSTORE_API_KEY' },
    });
    expect(words.toString().split('\0').slice(0, -1)).toEqual(['curl', '--data-raw', copied.body, 'http://h/']);
  },
);

test.each(["it's", '</script>', '\\"', '"', '\\', 'a\nb', '\u2028', '${x}', '`'])(
  'JavaScript reads %j as it was sent',
  (text) => {
    // oxlint-disable-next-line typescript/no-implied-eval, no-new-func
    expect((new Function(`return ${writeText(text)}`) as () => unknown)()).toBe(text);
  },
);

test('a fetch has method, header fields and body', () => {
  expect(toFetch({ method: 'DELETE', url: 'http://h/a', headers: { 'x-a': '1' }, body: undefined })).toBe(
    "const response = await fetch('http://h/a', {\n  method: 'DELETE',\n  headers: { 'x-a': '1' },\n});\nconsole.log(response.status, await response.json());",
  );
});

test('a test asks its own petstore and allows what broke the contract', () => {
  const copied = toCopied({ ...recorded, url: '/worlds/w/v1/pets?a=1' }, 'http://h', { Authorization: 'Bearer k' });
  const text = toVitest(copied, { status: 400, operationId: 'createPet', base: '/worlds/w/v1', isClientAtFault: true });
  expect(text).toContain("fetch(petstore.url + '/pets?a=1', {");
  expect(text).toContain('petstore.allowViolations({ status: 400 });');
  expect(text).toContain("test('createPet returns 400'");
});

test('a form in parts is left to the client to write', () => {
  const form = [{ name: 'title', value: "it's", flag: '-F', field: "title=it's" }];
  const copied = { method: 'POST', url: 'http://h/a', headers: {}, body: '--boundary', form };
  expect(toCurl(copied)).toBe(String.raw`curl -F 'title=it'\''s' http://h/a`);
  expect(toFetch(copied)).toBe(
    "const form = new FormData();\nform.append('title', 'it\\'s');\nconst response = await fetch('http://h/a', {\n  method: 'POST',\n  body: form,\n});\nconsole.log(response.status, await response.json());",
  );
});
