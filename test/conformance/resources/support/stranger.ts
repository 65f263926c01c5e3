// A small service with a document of its own, whose habits a test gives: services that nobody here wrote have one or the other of them.
import { join } from 'node:path';
import { runConformance } from '../../../../src/conformance/product/run-conformance.js';
import type { ConformanceOptions, RunResult } from '../../../../src/conformance/index.js';
import { makeFolder } from '../../../support/folder.js';
import {
  serveJson,
  type Answer as JsonAnswer,
  type Asked as Request,
  type Item,
} from '../../../support/network/serve-json.js';
import type { Schema } from './odd-resource.js';

export type { Item };

/** A request, read. */
export interface Asked {
  method: string;
  /** Below the base URL. */
  path: string[];
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: unknown;
}

export interface Answer extends JsonAnswer {
  /** In place of the body. */
  text?: string;
  bytes?: Uint8Array;
}

export type Serve = (asked: Asked) => Answer;

export const fail = (status: number, message = 'No'): Answer => ({ status, body: { message } });

/** What `JSON.parse` reads as Infinity would be stored as null. */
function isFinite(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isFinite);
  return typeof value !== 'number' || Number.isFinite(value);
}

/** A body of a media type that is none of JSON is a text. */
function respond({ parts: path, bytes: sent, isReadable, ...asked }: Request, serve: Serve): JsonAnswer {
  const isOther = sent.length > 0 && !/json|text/i.test(asked.headers['content-type'] ?? 'json');
  if (!isReadable && !isOther) return fail(400, 'Not JSON');
  if (!isFinite(asked.body)) return fail(400, 'A number is beyond all that is stored');
  const { text, bytes = text, ...answer } = serve({ ...asked, path, body: isOther ? sent.toString() : asked.body });
  return bytes === undefined ? answer : { ...answer, body: Buffer.from(bytes) };
}

/** What a run finds in a service that answers so. */
export async function judgeStranger(
  document: object,
  serve: Serve,
  only: readonly string[] = [],
  more: Partial<ConformanceOptions> = {},
): Promise<RunResult> {
  const spec = join(makeFolder({ 'stranger.json': JSON.stringify(document) }), 'stranger.json');
  const { url, close } = await serveJson((asked) => respond(asked, serve));
  const asked = only.length === 0 ? {} : { only };
  try {
    return await runConformance({ target: url, apiKey: 'any', spec, settleMs: 20, ...asked, ...more });
  } finally {
    await close();
  }
}

/** What a run tells of it, in short: nothing where it is right. */
export const listTold = ({ problems }: RunResult): string[] => problems.map(({ headline }) => headline);

/** A document of these paths. */
export function describePaths(paths: object, more: Schema = {}): Schema {
  return { openapi: '3.0.3', info: { title: 'Stranger', version: '1' }, paths, ...more };
}
