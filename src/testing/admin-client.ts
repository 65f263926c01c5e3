import { parseJson, printJson } from '../contract/document/json.js';
import { PetstoreMockError, type ErrorCode } from '../errors.js';
import { WORLD_HEADER } from '../server/world-names.js';

export interface AdminRequest {
  /** Below the admin URL: `/pets`. */
  path: string;
  /** Default: GET. */
  method?: string;
  /** Parameters that are `undefined` are left out. */
  query?: AdminQuery;
  body?: unknown;
  /** The world. Default: the default one. */
  world?: string;
  signal?: AbortSignal | undefined;
  /** The code of the rejection if the input is not acceptable or the thing does not exist. Default: `admin-refused`. */
  invalid?: ErrorCode;
}

type AdminQuery = Readonly<Record<string, string | number | boolean | undefined>>;

export interface AdminClient {
  /**
   * The answer's JSON, every int64 exact; `undefined` when it has no content.
   * Rejects with the `PetstoreMockError` that the mock answered with, with `target-unreachable` when there is none.
   */
  readonly ask: <Answer = undefined>(request: AdminRequest) => Promise<Answer>;
  /** The same for one of several things: `found` is `false` if it does not exist. */
  readonly find: <Answer = undefined>(request: AdminRequest) => Promise<MaybeFound<Answer>>;
}

export type MaybeFound<Answer> = { found: true; answer: Answer } | { found: false };

export interface AdminAddress {
  /** `http://127.0.0.1:4010/__admin` */
  adminUrl: string;
  token: string | undefined;
}

export function createAdminClient(access: AdminAddress): AdminClient {
  return {
    async ask<Answer>(request: AdminRequest): Promise<Answer> {
      const { status, value } = await send(request, access);
      if (status >= 400) throw toError(value, { ...access, ...request, status });
      return value as Answer;
    },
    async find<Answer>(request: AdminRequest): Promise<MaybeFound<Answer>> {
      const { status, value } = await send(request, access);
      if (status === 404) return { found: false };
      if (status >= 400) throw toError(value, { ...access, ...request, status });
      return { found: true, answer: value as Answer };
    },
  };
}

/** Methods for which the admin API requires a JSON body, so that no form on another page can send them. */
const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

async function send(
  request: AdminRequest,
  { adminUrl, token }: AdminAddress,
): Promise<{ status: number; value: unknown }> {
  const { path, method = 'GET', query = {}, world, signal = null } = request;
  const body = request.body ?? (WITH_BODY.has(method) ? {} : undefined);
  const headers: Record<string, string> = {
    Accept: 'application/json',
    ...(world !== undefined && { [WORLD_HEADER]: world }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const init = { method, headers, signal, ...(body !== undefined && { body: printJson(body) }) };
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  try {
    const response = await fetch(`${adminUrl}${path}${given.size === 0 ? '' : `?${given.toString()}`}`, init);
    const parsed = parseJson((await response.text()) || 'null');
    if (!parsed.ok) throw notAnAdminApi(adminUrl, response.status);
    return { status: response.status, value: parsed.value ?? undefined };
  } catch (error) {
    throw error instanceof TypeError ? unreachable(adminUrl, error) : error;
  }
}

function unreachable(adminUrl: string, error: Error): PetstoreMockError {
  const { code, message } = (error.cause ?? error) as { code?: string; message: string };
  const reason = code ?? message;
  return new PetstoreMockError(
    'target-unreachable',
    `no petstore-mock responds at ${adminUrl} (${reason}); start one and give its admin URL, such as http://127.0.0.1:4010/__admin.`,
  );
}

/** The error if something answers that is not an admin API. */
export function notAnAdminApi(adminUrl: string, status: number): PetstoreMockError {
  return new PetstoreMockError(
    'target-unreachable',
    `the server at ${adminUrl} (status ${status}) is not the admin API of a petstore-mock; its URL ends in /__admin, and --no-admin turns it off.`,
  );
}

interface Rejected extends Pick<AdminRequest, 'invalid'> {
  adminUrl: string;
  status: number;
}

function toError(body: unknown, { adminUrl, status, invalid }: Rejected): PetstoreMockError {
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code !== 'string' || typeof message !== 'string') return notAnAdminApi(adminUrl, status);
  const known = CODES.find((each) => each === code);
  if (known !== undefined) return new PetstoreMockError(known, message);
  const expected = status === 400 || status === 404 ? invalid : undefined;
  return new PetstoreMockError(expected ?? 'admin-refused', message);
}

const CODES = [
  'bad-option',
  'bad-pet',
  'bad-record',
  'bad-collection',
  'store-full',
  'bad-world',
  'bad-fault',
  'bad-date',
  'bad-snapshot',
  'wait-timeout',
  'violations',
  'low-coverage',
  'unusable-fixtures',
  'unusable-profile',
] as const satisfies readonly ErrorCode[];
