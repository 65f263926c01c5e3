/** Header fields by lower-case name. Repeated fields are joined as RFC 9110 section 5.3 says. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

/** Header fields by the name they are sent with. */
export type ResponseHeaders = Record<string, string>;

/** A request as plain data: what is left of HTTP once the transport is done with it. */
export interface ApiRequest {
  /** The method in upper case. */
  method: string;
  /** The raw path after {@link mountPath}, still percent-encoded, without the query: `/v1/pets/7`. */
  path: string;
  /** What stands before {@link path} in the URL the client used: `''`, or `/api` when mounted there. */
  mountPath: string;
  /** The raw query without its `?`; `''` when there is none. */
  query: string;
  headers: RequestHeaders;
  /** The body's bytes; `undefined` when none was sent. */
  body: Uint8Array | undefined;
  /** Set when the body is longer than this many bytes. It was not read; {@link body} is `undefined`. */
  bodyLongerThan?: number;
  /** Set when it was not read because too many others were being read. {@link body} is `undefined`. */
  bodyHadNoRoom?: true;
}

/**
 * A JSON body, as a value and as the text that is sent. The text is kept
 * beside the value so that what is stored as text is not serialised anew.
 */
export interface JsonBody {
  readonly value: unknown;
  readonly text: string;
}

/** A response as plain data. */
export interface ApiResponse {
  status: number;
  headers: ResponseHeaders;
  /** `undefined` when the response has no content. */
  body: JsonBody | undefined;
  /** What the transport is to do to it on purpose. */
  transport?: TransportFault;
}

/** A fault that only whoever holds the connection can act on. */
export interface TransportFault {
  /** How long to hold the response back, in milliseconds. */
  delay: number;
  /** Reset the connection without an answer, or end it in the middle of the body. */
  cut: 'reset' | 'truncate' | undefined;
}
