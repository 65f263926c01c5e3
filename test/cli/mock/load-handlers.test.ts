import { mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadHandlers, readSettings } from '../../../src/cli/mock/settings.js';
import { checkFiles } from '../../../src/cli/mock/describe.js';

const folder = mkdtempSync(join(tmpdir(), 'petstore-handlers-'));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

test('a module exports handlers by name, or as its default', async () => {
  const named = await loadHandlers(
    write('named.mjs', 'export function getPet() {}\nexport const listPets = () => {};'),
  );
  expect(Object.keys(named).sort()).toEqual(['getPet', 'listPets']);
  const whole = await loadHandlers(write('default.mjs', 'export default { "get-pet"() {} };'));
  expect(Object.keys(whole)).toEqual(['get-pet']);
});

test('a module that has changed is read anew', async () => {
  const path = write('changing.mjs', 'export const getPet = () => 1;');
  await loadHandlers(path);
  utimesSync(path, 0, 0);
  await loadHandlers(path);
  write('changing.mjs', 'export const listPets = () => 2;');
  expect(Object.keys(await loadHandlers(path))).toEqual(['listPets']);
});

test.each([
  ['gone.mjs', undefined, /^there is no file of handlers at .*gone\.mjs\.$/],
  ['empty.mjs', 'const getPet = 1;', /empty\.mjs: it exports no handlers; write/],
  ['number.mjs', 'export const getPet = 1;', /number\.mjs: its export getPet is not a function\.$/],
  ['text.mjs', 'export default "getPet";', /text\.mjs: it exports no handlers/],
  ['syntax.mjs', 'export const a = 1;\nexport const = 2;', /syntax\.mjs(?::2)?: the module cannot be loaded: /],
  ['throws.mjs', '\n\nthrow new Error("no database");', /throws\.mjs:3: the module cannot be loaded: no database\.$/],
])('%s is refused, with what to do', async (name, text, message) => {
  const path = text === undefined ? join(folder, name) : write(name, text);
  await expect(loadHandlers(path)).rejects.toMatchObject({
    code: 'bad-handler',
    message: expect.stringMatching(message),
  });
});

test('--handlers has the program answer with them, and --check names them', async () => {
  const path = write('pets.mjs', 'export function getPet(call) { return call.next(); }');
  const settings = await readSettings(['--handlers', path, '--check'], {}, '1.0.0');
  expect(Object.keys(settings.handlers ?? {})).toEqual(['getPet']);
  expect(checkFiles(settings).text).toMatch(/^handlers +\S+pets\.mjs +getPet$/m);
  const odd = write('odd.mjs', 'export function getPat(call) { return call.next(); }');
  const wrong = await readSettings(['--handlers', odd, '--check'], {}, '1.0.0');
  expect(() => checkFiles(wrong)).toThrow('the contract has no operation getPat; did you mean getPet?');
});
