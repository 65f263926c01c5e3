import type { JsonValue } from './exact-json.js';

/** A request that will not be served: becomes an answer with the Error body. */
export class Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers: HeaderRecord;
  constructor(status: number, code: string, message: string, headers: HeaderRecord = {}) {
    this.status = status;
    this.code = code;
    this.message = message;
    this.headers = headers;
  }
}

export type HeaderRecord = Readonly<Record<string, string | readonly string[]>>;

/** An answer as data. */
export interface Reply {
  readonly status: number;
  readonly headers: HeaderRecord;
  /** `undefined`: an answer without a body. */
  readonly json: JsonValue | undefined;
}

/** An answer as bytes. */
export interface EncodedReply {
  readonly status: number;
  readonly headers: HeaderRecord;
  readonly bytes: Buffer;
}
