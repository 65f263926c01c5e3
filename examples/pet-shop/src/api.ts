/** The petstore as this app uses it. Everything that can go wrong comes out as an {@link ApiError}. */

export const STATUSES = ['available', 'pending', 'sold'] as const;
export type Status = (typeof STATUSES)[number];

export interface NewPet {
  name: string;
  /** A text when it is no number; the service says what is wrong with it. */
  categoryId: number | string;
  status?: Status;
}

export interface Pet extends NewPet {
  id: number;
}

export interface Api {
  listPets(filter: { status?: Status | undefined }, signal?: AbortSignal): Promise<Pet[]>;
  addPet(pet: NewPet): Promise<Pet>;
  /** Every further request carries this key. */
  useKey(key: string): void;
}

export type ApiErrorKind = 'refused' | 'unauthorized' | 'failed' | 'unreachable';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  /** How long the service asks to be left alone, in milliseconds. */
  readonly retryAfter: number | undefined;

  constructor(kind: ApiErrorKind, message: string, retryAfter?: number) {
    super(message);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}

export interface ApiOptions {
  baseUrl: string;
  /** Sent as the bearer token. */
  key?: string;
  fetch?: typeof globalThis.fetch;
  /** How long an answer may take, in milliseconds. */
  timeout?: number;
  /** How often a list is asked for again after a failure. */
  retries?: number;
}

const LARGEST_PAGE = 100;
const PAUSE = 200;

interface Sending {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

export function createApi(options: ApiOptions): Api {
  const { baseUrl, timeout = 5000, retries = 2 } = options;
  // Looked up at each call, so that a test may put another in its place.
  const ask: typeof globalThis.fetch = options.fetch ?? ((...call) => globalThis.fetch(...call));
  let key = options.key ?? '';

  async function send<Body>(path: string, init: Sending = {}): Promise<Body> {
    const signal = AbortSignal.any([AbortSignal.timeout(timeout), ...(init.signal ? [init.signal] : [])]);
    const headers = { Authorization: `Bearer ${key}`, ...init.headers };
    try {
      const response = await ask(`${baseUrl}${path}`, { ...init, headers, signal });
      if (!response.ok) throw await readError(response);
      return (await response.json()) as Body;
    } catch (error) {
      if (error instanceof ApiError || init.signal?.aborted) throw error;
      // No answer, or one that broke off: whether the service did anything is unknown.
      throw new ApiError('unreachable', 'The petstore cannot be reached.');
    }
  }

  /** Reading changes nothing, so it may be tried again. */
  async function sendAgain<Body>(path: string, signal?: AbortSignal): Promise<Body> {
    for (let left = retries; ; left--) {
      try {
        return await send<Body>(path, signal ? { signal } : {});
      } catch (error) {
        if (left === 0 || !isWorthAnotherTry(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, error.retryAfter ?? PAUSE));
      }
    }
  }

  const list: Api['listPets'] = ({ status }, signal) => {
    const query = new URLSearchParams({ limit: String(LARGEST_PAGE), ...(status && { status }) });
    return sendAgain(`/pets?${query}`, signal);
  };

  return {
    listPets: list,
    useKey: (other) => (key = other),
    async addPet(pet) {
      const filter = { status: pet.status };
      const before = new Set((await list(filter)).map(({ id }) => id));
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(pet) };
      try {
        return await send<Pet>('/pets', init);
      } catch (error) {
        // The service may have stored the pet before it failed. To send it again could make two of it, so look first.
        if (!isWorthAnotherTry(error)) throw error;
        const stored = (await list(filter)).find((each) => !before.has(each.id) && isSame(each, pet));
        if (stored === undefined) throw error;
        return stored;
      }
    },
  };
}

function isWorthAnotherTry(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.kind === 'failed' || error.kind === 'unreachable');
}

function isSame(one: NewPet, other: NewPet): boolean {
  return one.name === other.name && one.categoryId === other.categoryId && one.status === other.status;
}

async function readError(response: Response): Promise<ApiError> {
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  if (response.status === 401) return new ApiError('unauthorized', 'The petstore does not accept this key.');
  if (response.status >= 500 || response.status === 429) {
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
    return new ApiError('failed', 'The petstore has a problem.', Number.isNaN(seconds) ? undefined : seconds * 1000);
  }
  return new ApiError('refused', message ?? `The petstore refuses this (${response.status}).`);
}
