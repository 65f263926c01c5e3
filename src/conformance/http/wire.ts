/** A request as it goes onto the wire. */
export interface WireRequest {
  method: string;
  /** Path and query, sent as they stand. */
  target: string;
  /** A list of values is that many fields of the name. */
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: Uint8Array | undefined;
  /** The length of what is sent first of the body, where it is sent in two writes. Default: in one. */
  cutAt?: number | undefined;
  /** Whether it may be sent twice. Default: where its method is idempotent (RFC 9110 section 9.2.2). */
  repeatable?: boolean | undefined;
  /** Whether it goes out on a connection of its own. Default: where it must not be sent twice. */
  alone?: boolean | undefined;
}

/** An answer, or why none came. */
export type WireAnswer = Answered | Unanswered;

export interface Answered {
  kind: 'answered';
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** The content, decoded from its Content-Encoding. */
  bytes: Uint8Array;
  /** When the request went out: ISO 8601. */
  startedAt?: string;
  durationMs: number;
}

export type FailureReason =
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'dropped'
  | 'no-http'
  | 'too-large'
  | 'bad-encoding'
  | 'incomplete'
  /** The proxy's problem, which says nothing of the target. */
  | 'proxy'
  /** By whoever runs the run; it says nothing of the target. */
  | 'interrupted';

export interface Unanswered {
  kind: 'unanswered';
  reason: FailureReason;
  /** What happened, as a sentence without a full stop. */
  detail: string;
  startedAt?: string;
  durationMs: number;
}

/** Whether a request may be sent twice. */
export function isRepeatable({ method, repeatable }: WireRequest): boolean {
  return repeatable ?? (method !== 'POST' && method !== 'PATCH');
}
