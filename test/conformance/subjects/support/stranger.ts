// A small service with a document of its own, whose habits a test gives: services that nobody here wrote have one or the other of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import type { ConformanceOptions, RunResult } from '../../../../src/conformance/index.js';
import { serveLocally } from '../../../support/network/serve-locally.js';
import type { Schema } from './odd-resource.js';

export type Item = Record<string, unknown>;

/** A request, read. */
export interface Asked {
  method: string;
  /** Below the base URL. */
  path: string[];
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
}

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** In place of the body. */
  text?: string;
  bytes?: Uint8Array;
}

export type Serve = (asked: Asked) => Answer;

export function fail(status: number, message = 'No'): Answer {
  return { status, body: { message } };
}

async function readAsked(request: IncomingMessage): Promise<Asked | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stranger');
  const read = { method: request.method ?? 'GET', query: searchParams, headers: request.headers };
  try {
    const path = pathname.split('/').slice(1).map(decodeURIComponent);
    // A body of a media type that is none of JSON is a text.
    const isOther = !/json|text/i.test(request.headers['content-type'] ?? 'json');
    return { ...read, path, body: text === '' ? undefined : isOther ? text : (JSON.parse(text) as unknown) };
  } catch {
    return undefined;
  }
}

function write({ status, body, headers = {}, text, bytes }: Answer, response: ServerResponse): void {
  if (body === undefined && text === undefined) return void response.writeHead(status, headers).end();
  response
    .writeHead(status, { 'Content-Type': 'application/json', ...headers })
    .end(bytes ?? text ?? JSON.stringify(body));
}

/** What a run finds in a service that answers so. */
export async function judgeStranger(
  document: object,
  serve: Serve,
  only: readonly string[] = [],
  more: Partial<ConformanceOptions> = {},
): Promise<RunResult> {
  const folder = mkdtempSync(join(tmpdir(), 'stranger-'));
  const spec = join(folder, 'stranger.json');
  writeFileSync(spec, JSON.stringify(document));
  const { url, close } = await serveLocally(async (request, response) => {
    const asked = await readAsked(request);
    write(asked === undefined ? fail(400, 'Not JSON') : serve(asked), response);
  });
  const asked = only.length === 0 ? {} : { only };
  try {
    return await runConformance({ target: url, apiKey: 'any', spec, settleMs: 20, ...asked, ...more });
  } finally {
    await close();
    rmSync(folder, { recursive: true });
  }
}

/** What a run tells of it, in short: nothing where it is right. */
export function listTold({ problems }: RunResult): string[] {
  return problems.map(({ headline }) => headline);
}

/** A document of these paths. */
export function describePaths(paths: object, more: Schema = {}): Schema {
  return { openapi: '3.0.3', info: { title: 'Stranger', version: '1' }, paths, ...more };
}
