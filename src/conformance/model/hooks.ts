/** Functions of a user's own around a run, for what no option can say. */
export interface RunHooks {
  /** Called before the first request, and waited for. */
  before?: ((run: HookedRun) => unknown) | undefined;
  /** Called at the end of the run, after it has cleaned up, and waited for. */
  after?: ((run: HookedRun) => unknown) | undefined;
  /** Called with each request before it goes out; what it returns is sent instead. Nothing returned sends the request as it is. */
  request?: ((request: HookedRequest) => HookedChange | Promise<HookedChange>) | undefined;
}

export type HookedChange = Partial<HookedRequest> | undefined | void;

export interface HookedRun {
  /** The base URL. */
  target: string;
}

export interface HookedRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string | string[]>;
  /** The body as text; `undefined` if there is none. */
  body: string | undefined;
}
