// What an OpenAPI document describes, read: types alone, so that every room of contract/ can name them.

export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie';

/** One parameter of an operation, as the contract describes it. */
export interface Parameter {
  name: string;
  in: ParameterLocation;
  required: boolean;
  /** JSON Pointer to the parameter object. */
  pointer: string;
  /** The parameter's schema with its reference followed. */
  schema: SchemaObject;
  /** JSON Pointer to that schema. */
  schemaPointer: string;
  /** How the value is written: `form`, `simple`, `spaceDelimited`, `pipeDelimited` or `deepObject`. */
  style: string;
  /** Whether each value of an array is sent under the name once more. */
  explode: boolean;
}

/** A schema object, of which only what is needed outside Ajv is read. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** What can be sent in one body, by media type. */
export interface Content {
  /** The media type in lower case, without parameters: `application/json`. */
  mediaType: string;
  /** JSON Pointer to its schema; `undefined` when the contract gives none. */
  schemaPointer: string | undefined;
  /** The schemas of an object's own properties, with their references followed. */
  fieldSchemas: Readonly<Record<string, SchemaObject>>;
}

export interface RequestBody {
  required: boolean;
  content: Content[];
  /** The names of the fields that the contract gives the body, in any media type. */
  fields: ReadonlySet<string>;
  pointer: string;
}

/** One documented response. */
export interface ResponseRule {
  /** `200`, `4XX` or `default`. */
  status: string;
  /** Empty when the response has no content. */
  content: Content[];
  headers: ResponseHeader[];
  pointer: string;
}

/** One documented header field of a response. */
export interface ResponseHeader {
  name: string;
  required: boolean;
  schema: SchemaObject;
  /** JSON Pointer to its schema; `undefined` when the contract gives none. */
  schemaPointer: string | undefined;
  /** JSON Pointer to the header object. */
  pointer: string;
}

/** One method on one path. */
export interface Operation {
  /** `operationId`; where the contract has none, method and path: `GET /pets`. */
  id: string;
  /** Upper case. */
  method: string;
  /** The path template below the base path: `/pets/{petId}`. */
  path: string;
  parameters: Parameter[];
  requestBody: RequestBody | undefined;
  responses: ResponseRule[];
  /** Whether a request without valid credentials is refused. */
  secured: boolean;
  deprecated: boolean;
  /** The day of the removal, `YYYY-MM-DD`, from `x-sunset`. */
  sunset: string | undefined;
  /** The id of the operation to use instead, from `x-successor`. */
  successor: string | undefined;
  /** JSON Pointer to the operation object. */
  pointer: string;
}
