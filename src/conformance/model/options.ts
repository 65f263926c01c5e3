import type { Shard, RunResult, ScenarioResult } from './result.js';

export interface ConformanceOptions {
  /** The base URL, with its version segment: `https://staging.example/v1`. */
  target: string;
  apiKey: string;
  /** Whether nobody gave the key, so that it is sent only where the contract asks for one. Default: `false`. */
  isKeyGuessed?: boolean | undefined;
  /**
   * What security schemes accept in place of the key, by their name: a key, `user:password`, or how to get one.
   * `oauth[orders:read]` gives a token that has these scopes alone. Default: the key, as the user of a Basic pair.
   */
  credentials?: GivenCredentials | undefined;
  /** A key or `user:password` of somebody else, with which records of the run are read and changed. Default: none. */
  credentialB?: string | undefined;
  /** Required header fields and query parameters: `['X-Tenant=acme']`. Default: what the contract states for them. */
  parameter?: readonly string[] | undefined;
  /** The path or URL of another contract. Default: the shipped one. */
  spec?: string | undefined;
  /** A file that corrects what is inferred of its resources. Default: none. */
  resources?: string | undefined;
  /** A file with records to send where the contract alone does not tell what is valid, as `records` of a fixture pack. Default: none. */
  records?: string | undefined;
  /** Whether that document may refer to files outside its folder. Default: `false`. */
  allowOutsideRefs?: boolean | undefined;
  /** Whether what that document refers to by a URL is fetched, from public addresses alone. Default: `false`. */
  allowRemoteRefs?: boolean | undefined;
  /** Whether that document, at a URL, may be at a private address. Default: `false`. */
  allowPrivateHosts?: boolean | undefined;
  /** Scenario files or folders, in addition to the shipped ones. Default: none. */
  scenarios?: readonly string[] | undefined;
  /** Ids or globs of the scenarios to run, including those they depend on. Default: all. */
  only?: readonly string[] | undefined;
  /** Ids or globs of scenarios to leave out. Default: none. */
  skip?: readonly string[] | undefined;
  /** Tests the operations with one of these tags alone. What a scenario builds on may ask others. Default: all. */
  tag?: readonly string[] | undefined;
  /** Tests these operations alone, by `operationId` or as `GET /users`. Default: all. */
  operation?: readonly string[] | undefined;
  /** Tests the operations with one of these methods alone. Default: all. */
  method?: readonly string[] | undefined;
  /** Tests the operations at these paths of the contract alone; `*` stands for anything. Default: all. */
  path?: readonly string[] | undefined;
  /** Whether operations that are deprecated are left out. Default: they are tested. */
  deprecated?: 'skip' | undefined;
  /** Requests that are never sent, not even to clean up: `DELETE /users`, `/users/*`, `DELETE`, or an operationId. Default: none. */
  never?: readonly string[] | undefined;
  /** What is fine at this target beside what the contract says, each with a reason that every report shows. Default: nothing. */
  expect?: readonly ExpectedHere[] | undefined;
  /** Functions of one's own around the run and each request, for what no option can say. Default: none. */
  hooks?: RunHooks | undefined;
  /** The part of the scenarios that this run has: `{ index: 2, of: 4 }`; `mergeShards` puts the results together. Default: all. */
  shard?: Shard | undefined;
  /** Creates and changes nothing: reads the records that are there. Default: `false`. */
  readOnly?: boolean | undefined;
  /** What the run may do with records that it created itself. Default: all on this machine, elsewhere `['create']`. */
  may?: readonly ('create' | 'update' | 'remove')[] | undefined;
  /** Whether what the run created stays. Default: `false`; it is removed where the contract has a removal and `may` allows it. */
  keep?: boolean | undefined;
  /** How long to wait for the target to come up, in milliseconds. Default: not at all. */
  waitForTargetMs?: number | undefined;
  /** The longest that one exchange may take, in milliseconds. Default: 10,000. */
  timeoutMs?: number | undefined;
  /** The longest that the run may take, in milliseconds; it then reports what it has concluded. Default: 900,000 (15 minutes). */
  maxTimeMs?: number | undefined;
  /** The most requests per second. Default: no limit. */
  rate?: number | undefined;
  /** How many scenarios run at a time. Default: 4. */
  concurrency?: number | undefined;
  /** Whether each request gets a connection of its own. Default: `false`; those that may be sent twice reuse connections. */
  freshConnections?: boolean | undefined;
  /** How long a change may take to show to other clients, in milliseconds. Default: 2,000; once up to 10,000. */
  settleMs?: number | undefined;
  /** The most records to create. Default: 60 for each resource of the contract, plus 80 for each of the first three. */
  maxCreates?: number | undefined;
  /** The most requests to send, without those that remove the run's own records at its end. Default: no limit. */
  maxRequests?: number | undefined;
  /** Whether the run ends at the first deviation. Default: `false`. */
  bail?: boolean | undefined;
  /** The path of a file of known deviations, which do not fail the run. Default: none. */
  baseline?: string | undefined;
  /** Fields beyond the contract are deviations. Default: `false`. */
  strict?: boolean | undefined;
  /** Header fields to send with every request. Default: none. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** How the connection to an https target is secured. Default: Node's certificate authorities, no client certificate. */
  tls?: TlsOptions | undefined;
  /** The URL of an HTTP proxy, with its credentials: `http://user:password@proxy.example:3128`. Default: none, whatever the environment says. */
  proxy?: string | undefined;
  /** The path of a profile that an earlier run wrote: where the target now differs is in the result as `drift`. Default: none. */
  profile?: string | undefined;
  onEvent?: RunListener | undefined;
  /** Ends the run early; the result contains what was done. */
  signal?: AbortSignal | undefined;
}

export interface TlsOptions {
  /** PEM certificates to trust in addition to Node's. */
  ca?: string | undefined;
  /** PEM. */
  clientCertificate?: { cert: string; key: string; passphrase?: string | undefined } | undefined;
  /** Trust any certificate; the result's notes say so. Default: `false`. */
  insecure?: boolean | undefined;
}

/** What a team expects of a target beside what the contract says, at some operations, and why. */
export interface ExpectedHere {
  /** The operation, by its `operationId` or as `GET /users`. Default: each at `path`. */
  operation?: string | undefined;
  /** The path of the contract, in which `*` stands for anything. Default: any. */
  path?: string | undefined;
  /** Statuses that are fine here, such as `409` or `5XX`. */
  status?: number | string | readonly (number | string)[] | undefined;
  /** Checks that are switched off, by their ids. */
  off?: string | readonly string[] | undefined;
  /** Formats whose violations are only noted, such as `date-time`. */
  formats?: string | readonly string[] | undefined;
  /** Why, for whoever reads the report. */
  reason: string;
}

export interface RunHooks {
  /** Called before the first request, and waited for. */
  before?: ((run: HookedRun) => unknown) | undefined;
  /** Called at the end of the run, after it has cleaned up, and waited for. */
  after?: ((run: HookedRun) => unknown) | undefined;
  /** Called with each request before it goes out; what it returns is sent instead. Nothing returned sends the request as it is. */
  request?: ((request: HookedRequest) => HookedChange | Promise<HookedChange>) | undefined;
}

type HookedChange = Partial<HookedRequest> | undefined | void;

export type HookedRun = Pick<ConformanceOptions, 'target'>;

export interface HookedRequest {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string | string[]>;
  body: string | undefined;
}

/** How a run gets a credential by itself, and gets it anew once it has expired. */
export type CredentialSource = (
  | { login: Login }
  /** A command of the shell that prints the credential: alone, or as JSON with `access_token` and `expires_in`. */
  | { command: string }
  | { oauth2: OAuth2Client }
) & {
  /** When it is got anew: as soon as the target rejects it with 401, or its `expires_in` is over. Default: `on-401`. */
  renew?: 'on-401' | 'never' | undefined;
};

/** A request to the target whose response has the credential. */
export interface Login {
  /** Below the target's base URL, such as `/login`; or a URL of its own. */
  path: string;
  /** Default: `POST`. */
  method?: string | undefined;
  /** Sent as JSON, or as a form where the contract takes nothing else there. Default: none. */
  body?: unknown;
  /** Sent as `application/x-www-form-urlencoded` in place of `body`. */
  form?: Readonly<Record<string, unknown>> | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Where the response has it: a JSON Pointer, a field, a cookie. Default: the scheme's cookie, or a usual member. */
  take?: string | { header: string } | { cookie: string } | undefined;
  /** What stands before it where it is sent: `Token ` for `Authorization: Token 4f`. Default: nothing. */
  prefix?: string | undefined;
}

/** The document's own flow: password if there is a `username`, else client credentials (RFC 6749 sections 4.3, 4.4). */
export interface OAuth2Client {
  client_id?: string | undefined;
  client_secret?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  /** Default: the scopes that the operations ask for. */
  scope?: string | undefined;
  /** Default: the `tokenUrl` of the flow. */
  token_url?: string | undefined;
}

/** By the name of a security scheme. */
export type GivenCredentials = Readonly<Record<string, string | CredentialSource>>;

export type RunEvent =
  | { type: 'runStarted'; target: string; scenarios: number; requests: number }
  | { type: 'scenarioStarted'; id: string }
  | { type: 'scenarioFinished'; result: ScenarioResult; done: number; of: number }
  | { type: 'waiting'; reason: string; ms: number }
  /** Before it tidies up: what it created is told as left. */
  | { type: 'runConcluded'; result: RunResult }
  | { type: 'runFinished'; result: RunResult };

export type RunListener = (event: RunEvent) => void;
