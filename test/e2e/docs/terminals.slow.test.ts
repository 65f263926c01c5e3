import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { blocksOf, blockUnder, createProject, PAGES, readShown } from '../../support/readme.js';
import { KEY, mockUrl, onFreePort, runShell, startCommand, untilServed } from '../../support/terminal.js';

const START = 'npx petstore-mock';
const pages = PAGES.filter((page) => blocksOf('console').some((block) => block.page === page));

test.each(pages)('%s: a terminal shows what the page shows', async (page) => {
  const project = createProject();
  const shown = blocksOf('console')
    .filter((block) => block.page === page)
    .flatMap(readShown);
  const server = startCommand(START, project);
  await untilServed();
  const print = async (command: string): Promise<string> => (await runShell(onFreePort(command), project)).stdout;
  for (const { command, output } of shown) {
    const expected = onFreePort(output);
    // What curl prints does not end its line.
    const isShown = (printed: string): void => expect(printed.trimEnd()).toBe(expected.trimEnd());
    // The mock answers before all of its banner has arrived here.
    if (command === START) await eventually(() => isShown(server.printed().slice(0, expected.length)));
    else isShown(await print(command));
  }
});

test('the log has the lines that the README shows', async () => {
  const { printed } = startCommand(START, createProject());
  const url = mockUrl('/v1/pets');
  await untilServed(`${url}?limit=1`);
  const post = (body: string): Promise<Response> =>
    fetch(url, { method: 'POST', headers: { ...KEY, 'content-type': 'application/json' }, body });
  await post('{"name":"Rex","categoryId":1}');
  await post('{"name":"Rex"}');
  await fetch(url);
  const plain = (text: string): string => text.replaceAll(/\d\d:\d\d:\d\d/g, 'TIME').replaceAll(/\d+\.\d ms/g, 'MS');
  const text = blockUnder('README.md', 'What you see', 'text');
  await eventually(() => expect(plain(printed())).toContain(plain(text)));
});
