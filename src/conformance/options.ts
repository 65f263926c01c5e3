import type { RunListener } from './events.js';

/** What to test, and how. */
export interface ConformanceOptions {
  /** The base URL, with its version segment: `https://staging.example/v1`. */
  target: string;
  /** The API key that the target accepts. */
  apiKey: string;
  /** The path of another contract. Default: the petstore's that ships. */
  spec?: string | undefined;
  /** Whether that document may refer to files outside its folder. Default: `false`. */
  allowOutsideRefs?: boolean | undefined;
  /** Scenario files or folders, in addition to those that ship. Default: none. */
  scenarios?: readonly string[] | undefined;
  /** Ids or globs of the scenarios to run, with those they depend on. Default: all. */
  only?: readonly string[] | undefined;
  /** Ids or globs of scenarios to leave out. Default: none. */
  skip?: readonly string[] | undefined;
  /** No POST is ever sent. Default: `false`. */
  readOnly?: boolean | undefined;
  /** How long to wait for the target to come up, in milliseconds. Default: not at all. */
  waitForTargetMs?: number | undefined;
  /** The most one exchange may take, in milliseconds. Default: 10,000. */
  timeoutMs?: number | undefined;
  /** The most the whole run may take, in milliseconds; what was concluded by then is reported. Default: 900,000, a quarter of an hour. */
  maxTimeMs?: number | undefined;
  /** The most requests a second. Default: no bound. */
  rate?: number | undefined;
  /** How many scenarios run at a time. Default: 4. */
  concurrency?: number | undefined;
  /**
   * How long to wait for what other clients see to settle, in milliseconds.
   * Default: 2,000; once in a run up to 10,000, and for a target that was seen to
   * need longer twice as long as that.
   */
  settleMs?: number | undefined;
  /** The most pets to create. Default: 60. */
  maxCreates?: number | undefined;
  /** A category that exists. Default: the commonest that a list shows, else 1. */
  categoryId?: number | bigint | undefined;
  /** Stop at the first deviation. Default: `false`. */
  bail?: boolean | undefined;
  /** The path of a file of known deviations, which do not fail the run. Default: none is known. */
  baseline?: string | undefined;
  /** Fields beyond the contract are deviations. Default: `false`. */
  strict?: boolean | undefined;
  /** Header fields to send with every request. Default: none. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** How the connection to an https target is secured. Default: by Node's authorities, without a client certificate. */
  tls?: TlsOptions | undefined;
  /** The URL of an HTTP proxy, with its credentials: `http://user:password@proxy.example:3128`. Default: none, whatever the environment says. */
  proxy?: string | undefined;
  /**
   * The path of a profile that an earlier run wrote: what the target does otherwise
   * since is in the result as `drift`. Default: none.
   */
  profile?: string | undefined;
  /** Called with everything that happens, in order. */
  onEvent?: RunListener | undefined;
  /** Ends the run early; its result tells what was done. */
  signal?: AbortSignal | undefined;
}

export interface TlsOptions {
  /** PEM certificates to trust beside Node's. */
  ca?: string | undefined;
  /** What the client shows of itself, PEM. */
  clientCertificate?: { cert: string; key: string; passphrase?: string | undefined } | undefined;
  /** Trust any certificate; the result's notes say so. Default: `false`. */
  insecure?: boolean | undefined;
}
