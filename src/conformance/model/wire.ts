/** A request as it goes onto the wire. */
export interface WireRequest {
  method: string;
  /** Path and query, sent unchanged. */
  target: string;
  /** A list of values is sent as several fields with the same name. */
  headers: Readonly<Record<string, string | readonly string[]>>;
  body: Uint8Array | undefined;
  /** The length of the first part of the body, if it is sent in two writes. Default: one write. */
  cutAt?: number | undefined;
  /** Whether it may be sent twice. Default: if its method is idempotent (RFC 9110 section 9.2.2). */
  repeatable?: boolean | undefined;
  /** Whether it goes out on its own connection. Default: if it must not be sent twice. */
  alone?: boolean | undefined;
}

/** An answer, or why none came. */
export type WireAnswer = Answered | Unanswered;

export interface Answered {
  kind: 'answered';
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  /** The content, decoded from its Content-Encoding; if it was cut off, what came of it. */
  bytes: Uint8Array;
  /** How it was encoded although no Content-Encoding says so (RFC 9110 section 8.4). */
  unlabelled?: string;
  /** How the body ended before it was complete, as a sentence without a full stop. Default: it is complete. */
  cutOff?: string;
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
  /** A problem of the proxy, which says nothing about the target. */
  | 'proxy'
  /** Ended by the caller; it says nothing about the target. */
  | 'interrupted'
  /** This process could not run while it waited (`starvation.ts`); it says nothing about the target. */
  | 'starved'
  /** The target was unavailable meanwhile (`outages.ts`); it says nothing about what was asked. */
  | 'unavailable';

export interface Unanswered {
  kind: 'unanswered';
  reason: FailureReason;
  /** What happened, as a sentence without a full stop. */
  detail: string;
  startedAt?: string;
  durationMs: number;
}

/** Whether an answer has begun, which comes from the target however it ended. */
export function hasBegun(answer: WireAnswer): boolean {
  return answer.kind === 'answered' || ['incomplete', 'too-large', 'bad-encoding'].includes(answer.reason);
}

/** Whether a request changes nothing (RFC 9110 section 9.2.1). */
export function isReading({ method }: Pick<WireRequest, 'method'>): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase());
}

/** Whether a request may be sent twice. */
export function isRepeatable({ method, repeatable }: WireRequest): boolean {
  return repeatable ?? (method !== 'POST' && method !== 'PATCH');
}

/** Whether a status says that what was asked for is not there, or no more (RFC 9110 sections 15.5.5 and 15.5.11). */
export function isOfAbsence(status: number): boolean {
  return status === 404 || status === 410;
}
