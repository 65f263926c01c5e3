import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectPetstoreMock, startPetstoreMock, type PetstoreMock, type PetstoreWorlds } from '../../src/index.js';
import { packageFile } from '../../src/package-files.js';
import { useConsole, withoutBrowser } from '../support/console-page.js';

const PROGRAM = packageFile('dist/cli/petstore-mock.js');

const NO_FLAG = 'no flag does it';

type State = (mock: PetstoreWorlds) => Promise<unknown>;

/** What the snippets of each card bring about. */
const CARDS: Record<string, { panel: string; state: State; expected: unknown; hasFlag: boolean }> = {
  'Fault injection': {
    panel: 'behaviour',
    state: async ({ faults }) => (await faults.list()).map(({ effect }) => effect),
    expected: [{ status: 503 }],
    hasFlag: true,
  },
  Delay: { panel: 'behaviour', state: ({ delay }) => delay.get(), expected: { from: 100, to: 800 }, hasFlag: true },
  Clock: {
    panel: 'behaviour',
    state: async ({ clock }) => (await clock.now()).toISOString().slice(0, 10),
    expected: '2030-12-05',
    hasFlag: true,
  },
  Profile: {
    panel: 'behaviour',
    state: async ({ profile }) => (await profile.get()).choices['list-order'],
    expected: 'oldest-first',
    hasFlag: true,
  },
  Worlds: { panel: 'behaviour', state: (mock) => mock.worlds(), expected: ['default', 'w1'], hasFlag: false },
  Snapshots: { panel: 'collections', state: ({ snapshots }) => snapshots.list(), expected: ['before'], hasFlag: false },
  'Built-in data sets': { panel: 'collections', state: ({ pets }) => pets.count(), expected: 0, hasFlag: true },
};

describe.skipIf(withoutBrowser)('what the console says does the same', () => {
  const on = useConsole();
  let folder = '';
  let fresh: PetstoreMock;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'petstore-same-as-'));
    fresh = await startPetstoreMock();
  });
  afterEach(async () => {
    await fresh.close();
    rmSync(folder, { recursive: true });
  });

  /** The snippets of a card, by their names. */
  async function readSnippets(card: string, panel: string): Promise<Record<string, string>> {
    const page = await on.open(`/__admin#${panel}`);
    const section = page.locator('section', { has: page.getByRole('heading', { name: card }) });
    if (card === 'Profile') await page.getByRole('group').getByText('listPets', { exact: true }).click();
    if (card === 'Profile') await page.locator('#gap-list-order').selectOption('oldest-first');
    if (card === 'Built-in data sets') await section.getByRole('combobox', { name: 'Data set' }).selectOption('empty');
    await section.getByText('As code').click();
    if (card === 'Profile') await section.getByText('list-order: oldest-first').waitFor();
    const all = await section.locator('.snippet').all();
    const entries = all.map(async (snippet) => [
      await snippet.locator('.snippet-head > span').innerText(),
      await snippet.locator('pre').innerText(),
    ]);
    return Object.fromEntries(await Promise.all(entries)) as Record<string, string>;
  }

  /** Starts the program as the page says and reads what it is like. */
  async function readStarted(command: string | undefined, state: State): Promise<unknown> {
    if (command === undefined) return NO_FLAG;
    const line = command.replace('npx petstore-mock', `exec '${process.execPath}' '${PROGRAM}' --port 0 --log json`);
    const child = spawn('sh', ['-c', line], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const [text] = (await once(createInterface(child.stdout), 'line')) as [string];
    const told = await state(await connectPetstoreMock((JSON.parse(text) as { adminUrl: string }).adminUrl));
    child.kill();
    await once(child, 'exit');
    return told;
  }

  test.each(Object.entries(CARDS))('%s', async (card, { panel, state, expected, hasFlag }) => {
    const snippets = await readSnippets(card, panel);
    const { 'Admin API': curl = '', Library: library = '', 'Command line': command, ...files } = snippets;
    const line = curl.replace('curl', 'curl -sSf').replace(on.origin, new URL(fresh.url).origin);
    await promisify(execFile)('sh', ['-c', line]);
    expect(await state(fresh)).toEqual(expected);
    const other = await startPetstoreMock();
    // oxlint-disable-next-line typescript/no-implied-eval
    const run = new Function('mock', `return (async () => { ${library} })()`) as (mock: PetstoreMock) => Promise<void>;
    await run(other);
    expect(await state(other)).toEqual(expected);
    await other.close();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    expect(await readStarted(command, state)).toEqual(hasFlag ? expected : NO_FLAG);
  });
});
