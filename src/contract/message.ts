/** Header fields by lower-case name. Repeated fields are joined as RFC 9110 section 5.3 says. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

export type ResponseHeaders = Record<string, string>;

/** The name of a header field, and of a cookie, is a token (RFC 9110 sections 5.1 and 5.6.2, RFC 6265 section 4.1.1). */
export const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** A request as plain data: what remains of HTTP after the transport. */
export interface ApiRequest {
  method: string;
  /** The raw path after {@link mountPath}, still percent-encoded, without the query: `/v1/pets/7`. */
  path: string;
  /** The part of the URL before {@link path}: `''`, or `/api` if mounted there. */
  mountPath: string;
  /** The raw query without its `?`; `''` if there is none. */
  query: string;
  headers: RequestHeaders;
  /** The body's bytes; `undefined` if none was sent. */
  body: Uint8Array | undefined;
  /** Set if the body is longer than this many bytes. It was not read; {@link body} is `undefined`. */
  bodyLongerThan?: number;
  /** Set if the body was not read because too many others were being read. {@link body} is `undefined`. */
  bodyHadNoRoom?: true;
}

/** A JSON body, as a value and as the text to send. The text is kept, so that a stored text is not serialised again. */
export interface JsonBody {
  readonly value: unknown;
  readonly text: string;
  /** Set if the value is the text of a media type other than JSON, and nobody has read what it stands for. */
  readonly isAsWritten?: true;
}

export interface ApiResponse {
  status: number;
  headers: ResponseHeaders;
  body: JsonBody | undefined;
  transport?: TransportFault;
}

/** A fault that only the owner of the connection can carry out. */
export interface TransportFault {
  /** How long to hold the response back, in milliseconds. */
  delay: number;
  /** Reset the connection without an answer, or end it in the middle of the body. */
  cut: 'reset' | 'truncate' | undefined;
}
