import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { formatCurl } from '../../../src/cli/mock/banner.js';
import { readSettings } from '../../../src/cli/mock/settings.js';
import { toCurl, copyExample } from '../../../src/console/copy-as.js';
import type { AboutMock, Example } from '../../../src/console/types.js';
import { packageFile } from '../../../src/package-files.js';
import { recordsOf } from '../../../src/server/example-requests/fill-request.js';
import { setUp } from '../../../src/server/set-up.js';
import { startPetstoreMock } from '../../../src/server/start-petstore-mock.js';
import { makeFolder } from '../../support/folder.js';
import { documents } from './documents.js';

const SHIPPED = [
  'spec/petstore.openapi.yaml',
  'examples/store-orders/petstore.openapi.yaml',
  'test/support/tickets.openapi.yaml',
  'test/conformance/resources/support/library.openapi.yaml',
  'test/conformance/resources/support/workshop.openapi.yaml',
  'test/reality/services/django-rest.openapi.yaml',
  'test/reality/services/powerdns.openapi.yaml',
];

const specs = [
  ...SHIPPED.map((path): [string, string] => [path, packageFile(path)]),
  ...Object.entries(documents).map(([name, text]): [string, string] => {
    const path = join(makeFolder(), 'small.json');
    writeFileSync(path, text);
    return [name, path];
  }),
];

/** The commands of the page at `/`, in its order. */
async function listCommands(mockUrl: string): Promise<{ ids: string[]; commands: string[] }> {
  const { origin } = new URL(mockUrl);
  const page = await fetch(origin, { headers: { Accept: 'text/html' } });
  const [, json = ''] = /id="about">(.*)<\/script>/.exec(await page.text()) ?? [];
  const about = JSON.parse(json) as AboutMock;
  const examples = new Map<string, Example | undefined>(about.operations.map(({ id, example }) => [id, example]));
  for (const { id } of about.operations) {
    if (examples.get(id) !== undefined) continue;
    const more = await fetch(`${origin}/__console/examples?from=${encodeURIComponent(id)}`);
    for (const [each, example] of Object.entries((await more.json()) as Record<string, Example>))
      examples.set(each, example);
  }
  const commands = about.operations.map(({ id, method }) => {
    const example = examples.get(id);
    if (example === undefined) throw new Error(`there is no example of ${id}`);
    return toCurl(copyExample(method, example, `${origin}${about.basePath}`));
  });
  return { ids: about.operations.map(({ id }) => id), commands };
}

/** The commands that a shell gets another answer for than a success, with that answer. */
async function findRefused(commands: readonly string[]): Promise<string[]> {
  const quiet = commands.map((command) => command.replace(/^curl /, "curl -s -o /dev/null -w '%{http_code}\\n' "));
  const statuses = (await promisify(execFile)('sh', ['-c', quiet.join('\n')])).stdout.trim().split('\n');
  expect(statuses).toHaveLength(commands.length);
  return commands.flatMap((command, index) => {
    const status = statuses[index] ?? '';
    return status.startsWith('2') ? [] : [`${status} ${command}`];
  });
}

test.each(specs)(
  'every command that is shown for %s works, one after the other, and so does the line to try',
  async (_, spec) => {
    const mock = await startPetstoreMock({ spec, prism: false });
    onTestFinished(() => mock.close());
    const made = setUp({ spec, prism: false });
    const settings = await readSettings([], {}, '1');
    const line = formatCurl(mock.url, made.contract, { ...settings, records: recordsOf(made.world) });
    const { ids, commands } = await listCommands(mock.url);
    expect(commands.length).toBeGreaterThan(2);
    expect(await findRefused(commands)).toEqual([]);
    // A command may succeed as another operation: curl makes a POST of whatever has a body.
    const asked = (await mock.requests.list()).map(({ operationId }) => operationId ?? '');
    expect(new Set(asked)).toEqual(new Set(ids));
    expect(asked).toHaveLength(ids.length);
    expect(await findRefused([line])).toEqual([]);
  },
);
