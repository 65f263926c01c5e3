import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import {
  connectPetstoreMock,
  createPetstoreApp,
  createPetstoreFetch,
  startPetstoreMock,
  type PetstoreOptions,
} from '../../src/index.js';
import type { PetstoreWorld, PetstoreWorlds } from '../../src/server/petstore-world.js';

/** One way to reach a petstore from a test: the same methods, and something that sends requests. */
export interface WayIn {
  petstore: PetstoreWorlds;
  fetch: typeof globalThis.fetch;
  /** Where the API of a world is for that `fetch`. */
  urlOf(world: PetstoreWorld): string;
  close(): Promise<void>;
}

/** How each is opened, by what the names of tests call it. */
export const WAYS_IN: Readonly<Record<string, (options?: PetstoreOptions) => Promise<WayIn>>> = {
  'on a port': async (options) => {
    const mock = await startPetstoreMock(options);
    return { petstore: mock, fetch, urlOf, close: () => mock.close() };
  },
  'as an app': async (options) => {
    const app = createPetstoreApp(options);
    return { petstore: app, fetch, ...(await serve(app)) };
  },
  'mounted in another app': async (options) => {
    const app = createPetstoreApp(options);
    return { petstore: app, fetch, ...(await serve(express().use('/shop', app), '/shop')) };
  },
  'by fetch, without a port': async (options) => {
    const petstore = createPetstoreFetch(options);
    return { petstore, fetch: petstore.fetch, urlOf, close: async () => {} };
  },
  'by the admin API': async (options) => {
    const mock = await startPetstoreMock(options);
    return { petstore: await connectPetstoreMock(mock.adminUrl), fetch, urlOf, close: () => mock.close() };
  },
};

function urlOf({ url }: PetstoreWorld): string {
  return url;
}

/** An app knows no port, so its worlds know the path alone. */
async function serve(listener: RequestListener, prefix = ''): Promise<Pick<WayIn, 'urlOf' | 'close'>> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: ({ url }) => `http://127.0.0.1:${port}${prefix}${url}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
