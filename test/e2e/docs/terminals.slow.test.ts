import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { blockUnder, createProject } from '../../support/readme.js';
import { KEY, mockUrl, startCommand, untilServed } from '../../support/terminal.js';

const START = 'npx petstore-mock';
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
  const text = blockUnder('README.md', 'The petstore', 'text');
  await eventually(() => expect(plain(printed())).toContain(plain(text)));
});
