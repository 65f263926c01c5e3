/** A request as it goes onto the wire. */
export interface WireRequest {
  method: string;
  /** Path and query, sent as they stand. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
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
  /** The proxy's fault, which says nothing of the target. */
  | 'proxy'
  /** By whoever runs the run; it says nothing of the target. */
  | 'interrupted';

export interface Unanswered {
  kind: 'unanswered';
  reason: FailureReason;
  /** What happened, as a sentence without a full stop. */
  detail: string;
  durationMs: number;
}

/** RFC 9110 section 9.2.2. */
export function isIdempotent(method: string): boolean {
  return method !== 'POST' && method !== 'PATCH';
}
