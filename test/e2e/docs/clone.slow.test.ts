import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../../src/package-files.js';
import { PAGES } from '../../support/readme.js';
import { LEFT_OUT, listCommands, walkPage } from '../../support/walk-page.js';

const read = (page: string): string => readFileSync(packageFile(page), 'utf8');
/** A page has up to twenty commands, each a program of its own. */
const LONG = 900_000;
const runs = PAGES.filter((page) => listCommands(read(page)).some((each) => !Object.hasOwn(LEFT_OUT, each)));

// `npx vitest run --project slow test/e2e/docs/clone -u` writes what the commands print now into the pages.
test.each(runs)(
  '%s: every command runs in a clone as it is printed, and prints what the page shows',
  async (page) => {
    const walked = await walkPage(read(page));
    expect(walked.commands).toEqual(listCommands(read(page)).filter((each) => !Object.hasOwn(LEFT_OUT, each)));
    await expect(walked.page).toMatchFileSnapshot(packageFile(page));
  },
  LONG,
);

test('what is left out is on a page', () => {
  const all = PAGES.flatMap((page) => listCommands(read(page)));
  expect(Object.keys(LEFT_OUT).filter((command) => !all.includes(command))).toEqual([]);
});

describe('a wrong command is found', () => {
  test.each([
    ['an option that there is not', '```sh\nnpx petstore-conformance --targett http://127.0.0.1:4010/v1\n```\n'],
    ['a program that a clone does not have', '```sh\nnpx -p petstore-mock petstore-mock --check\n```\n'],
    ['a server that does not start', '```sh\nnpx petstore-mock --spec no-such-file.yaml\n```\n'],
    ['in a line of text', 'Write `npx petstore-mock --chek`.\n'],
    ['another exit code', '```sh\nnpx petstore-mock --check # exits with 1\n```\n'],
  ])('%s', async (_, page) => await expect(walkPage(page)).rejects.toThrow(/ends? with|ended/));

  test('other output', async () => {
    const { page } = await walkPage('```console\n$ npx petstore-mock --check\ncontract  of another one\n...\n```\n');
    expect(page).toMatch(
      /^```console\n\$ npx petstore-mock --check\ncontract {2}spec\/petstore\.openapi\.yaml .*\n\.\.\.\n```\n$/,
    );
  });
});
