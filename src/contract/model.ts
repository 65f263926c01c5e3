// The content of an OpenAPI document as types alone, so that every room of contract/ can use them.

export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie';

export interface Parameter {
  name: string;
  in: ParameterLocation;
  required: boolean;
  pointer: string;
  schema: SchemaObject;
  /** JSON Pointer to that schema; `undefined` if the contract gives none, so that any value is valid. */
  schemaPointer: string | undefined;
  shape: ValueShape;
  /** OpenAPI 3.1.1, Style Values; `json` if the contract gives it content of that media type. */
  style: ParameterStyle;
  mediaType?: string;
  encoding?: Content['encoding'];
  /** Whether each value of an array, or each field of an object, is written by itself. */
  explode: boolean;
  /** Whether it may be sent without a value, whatever its schema says (`allowEmptyValue`). Default: `false`. */
  allowsEmpty?: boolean;
}

export type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'cookie'
  /** All of a query, in the parameter's media type (OpenAPI 3.2.0, `in: querystring`). */
  | 'querystring'
  | 'json';

export interface ValueShape {
  types: readonly string[];
  item?: ValueShape | undefined;
  leading?: readonly ValueShape[] | undefined;
  fields?: Readonly<Record<string, ValueShape>> | undefined;
  patterns?: readonly (readonly [isNamed: (name: string) => boolean, shape: ValueShape])[] | undefined;
  /** Of all other fields (`additionalProperties`); `undefined` if the schema does not say. */
  others?: ValueShape | undefined;
  /** What separates the items of an array in one text (Swagger 2.0, `collectionFormat`). Default: as its style says. */
  separator?: string | undefined;
  /** The alternatives of its schema, each without any. Default: there is one, the shape itself. */
  ways?: readonly ValueShape[];
  /** Whether a value keeps the schema, which decides between the values that a text can state. Default: any does. */
  fits?: (value: unknown) => boolean;
}

export type SchemaObject = Readonly<Record<string, unknown>>;

export interface Content {
  /** The key as `normalizeMediaType` writes it, with its parameters: `application/json`, `application/*`, `a/b; version=1`. */
  mediaType: string;
  isUtf8?: true;
  schemaPointer: string | undefined;
  /** JSON Pointer to the schema of each item of a sequence (OpenAPI 3.2.0, `itemSchema`). */
  itemPointer?: string;
  shape: ValueShape;
  /** How the fields of a form are written, for those of which the contract says so (OpenAPI 3.1.1, Encoding Object). */
  encoding?: Readonly<Record<string, Encoding>>;
  /** The fields of a form that are files or bytes, or lists of them. */
  files?: readonly string[];
}

export interface Encoding {
  style?: Extract<ParameterStyle, 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject'>;
  explode?: boolean;
  /** The media types that a part may have, with commas between them. */
  mediaType?: string;
  headers?: readonly ResponseHeader[];
  pointer: string;
}

export type RequestBody = { required: boolean; content: Content[]; fields: ReadonlySet<string>; pointer: string };

export interface ResponseRule {
  /** `200`, `4XX` or `default`. */
  status: string;
  content: Content[];
  headers: ResponseHeader[];
  pointer: string;
}

export interface ResponseHeader {
  name: string;
  required: boolean;
  shape: ValueShape;
  style: Extract<ParameterStyle, 'simple' | 'json'>;
  explode: boolean;
  schemaPointer: string | undefined;
  pointer: string;
}

export interface SecurityScheme {
  name: string;
  /** After a word of the `Authorization` field, or as an API key by itself. OAuth 2 and OpenID Connect are `bearer`. */
  kind: 'bearer' | 'basic' | 'word' | 'header' | 'query' | 'cookie';
  at: string;
}

/** Alternatives, each a combination of schemes that are required together. */
export type Security = readonly (readonly SecurityScheme[])[];

/** What one alternative asks for: each of its schemes by name, with the scopes that a token for it must have. */
export type NeededScopes = Readonly<Record<string, readonly string[]>>;

export interface Operation {
  /** `operationId`; if the contract has none, method and path: `GET /pets`. */
  id: string;
  method: string;
  path: string;
  server?: OwnServer;
  parameters: Parameter[];
  requestBody: RequestBody | undefined;
  responses: ResponseRule[];
  /** Combinations of credentials, one of which suffices; `[[]]` and an empty list require none. */
  security: Security;
  /** The same with the scopes of tokens, where any alternative asks for some; else empty. */
  scopes: readonly NeededScopes[];
  secured: boolean;
  deprecated: boolean;
  /** The day of the removal, `YYYY-MM-DD`, from `x-sunset`. */
  sunset: string | undefined;
  successor: string | undefined;
  pointer: string;
}

/** Where operations are whose servers are not those of the document (OpenAPI 3.0.4, Path Item Object, `servers`). */
export interface OwnServer {
  basePath: string;
  others?: readonly string[];
  /** Its URL, if it is at another host than the document's. */
  elsewhere?: string;
}

/** Header fields by lower-case name. Repeated fields are joined as RFC 9110 section 5.3 says. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;
export type ResponseHeaders = Record<string, string>;

/** The name of a header field, and of a cookie, is a token (RFC 9110 sections 5.1 and 5.6.2, RFC 6265 section 4.1.1). */
export const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

export interface ApiRequest {
  method: string;
  /** The raw path after {@link mountPath}, still percent-encoded, without the query: `/v1/pets/7`. */
  path: string;
  /** The part of the URL before {@link path}: `''`, or `/api` if mounted there. */
  mountPath: string;
  query: string;
  headers: RequestHeaders;
  /** The body's bytes; `undefined` if none was sent. */
  body: Uint8Array | undefined;
  /** Set if the body is longer than this many bytes. It was not read; {@link body} is `undefined`. */
  bodyLongerThan?: number;
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
