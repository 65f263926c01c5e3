import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { bundleFiles } from '../../../src/contract/document/bundle.js';
import { parseSource } from '../../../src/contract/document/document.js';
import { describeNotes } from '../../../src/contract/document/notes.js';
import { createRemoteReader, type RemoteReader } from '../../../src/contract/remote/read-remote.js';
import { loadContract } from '../../../src/contract/contract.js';
import { documentOf } from '../support/documents.js';
import { makeFolder } from '../../support/folder.js';

function bundle(reference: string, readRemote?: RemoteReader): { notes: string[]; schema: unknown } {
  const entry = parseSource(documentOf(`{ $ref: '${reference}' }`), { shownAs: 'api.yaml', code: 'unusable-contract' });
  const { document, notes } = bundleFiles(entry, 'api.yaml', { readRemote });
  const at = '/paths/~1things/post/requestBody/content/application~1json/schema';
  const { $ref = '' } = document.at(at) as { $ref?: string };
  return { notes: describeNotes(notes.list(), Infinity), schema: document.at(decodeURI($ref.slice(1))) };
}

test('what a URL names is not read without leave, and the note names the flag', () => {
  expect(bundle('https://example.com/thing.yaml#/Thing').notes).toEqual([
    'api.yaml:10:23: unresolved $ref https://example.com/thing.yaml#/Thing: it is a URL, and a $ref is not fetched over the network by default; save the document beside this file and refer to the copy, or pass --allow-remote-refs; treated as {}, and 1 more like it',
  ]);
});

test('what a remote document refers to is looked for where that document is', () => {
  const asked: string[] = [];
  const read: RemoteReader = (url) => {
    asked.push(url);
    if (url.endsWith('/a.yaml')) return { text: "Thing: { $ref: 'parts/b.yaml' }\nOther: { $ref: 'file:///etc/b' }\n" };
    return url.startsWith('https:') ? { text: 'type: string\n' } : { why: 'is not fetched: why' };
  };
  expect(bundle('https://example.com/v1/a.yaml#/Thing', read).notes).toEqual([]);
  expect(asked).toEqual(['https://example.com/v1/a.yaml', 'https://example.com/v1/parts/b.yaml']);
  expect(bundle('https://example.com/v1/a.yaml#/Other', read).notes).toEqual([
    expect.stringContaining('a.yaml:2:10: unresolved $ref file:///etc/b: it is not fetched: why'),
  ]);
});

test('a document that is none costs what refers to it', () => {
  const { notes } = bundle('https://rex:secret@example.com/a.yaml', () => ({ text: 'a: [1' }));
  expect(notes[0]).toContain(
    'unresolved $ref https://[redacted]@example.com/a.yaml: it refers to a file that cannot be read: https://[redacted]@example.com/a.yaml:',
  );
});

test('a program of its own fetches while the caller waits', async () => {
  const server = new Worker(
    `const { createServer } = require('node:http'); const { parentPort } = require('node:worker_threads');
     const server = createServer((request, response) => response.end('type: integer\\n'));
     server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  try {
    const port = await new Promise<number>((resolve) => server.once('message', resolve));
    const url = `http://127.0.0.1:${port}/thing.yaml`;
    const { notes, schema } = bundle(url, createRemoteReader({ allowedAddresses: ['127.0.0.1'] }));
    expect([notes, schema]).toEqual([[], { type: 'integer' }]);
    // A contract may be there itself, and whoever cannot wait for a promise reads it.
    const message = /^http:\/\/127\.0\.0\.1:\d+\/api\.yaml:1:1: this is not an OpenAPI/;
    expect(() => loadContract(`http://127.0.0.1:${port}/api.yaml`)).toThrow(message);
    // What a user allows leads to no address of this machine.
    const path = `${makeFolder({ 'api.yaml': documentOf(`{ $ref: '${url}' }`) })}/api.yaml`;
    const contract = loadContract(path, { allowRemoteRefs: true });
    contract.validate.compileAll();
    const told = describeNotes(contract.listNotes(), 9).join();
    expect(told).toContain(`${url}: it is not fetched: its host is not a public one`);
  } finally {
    await server.terminate();
  }
});
