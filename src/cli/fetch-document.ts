import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fetchDocument } from '../contract/remote/fetch-document.js';
import type { FetchOrder } from '../contract/remote/read-remote.js';
import { findProxy } from './conformance/find-proxy.js';

// Not for people: `contract/remote/read-remote.ts` runs it. It reads a request from stdin and writes what it fetched.
const { url, options } = JSON.parse(await text(process.stdin)) as FetchOrder;
process.stdout.write(
  JSON.stringify(await fetchDocument(url, { ...options, findProxy: (each) => findProxy(each, process.env) })),
);
