// What `GET /operations/{operationId}` of the admin API answers, and what a page makes of it.

export interface OperationForm {
  operationId: string;
  method: string;
  path: string;
  base: string;
  summary?: string;
  description?: string;
  deprecated: boolean;
  contract: { file: string; line?: number };
  parameters: FormParameter[];
  body?: FormBody;
  credentials: { headers: Record<string, string>; query: { name: string; value: string }[] };
}

export interface FormParameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  deprecated: boolean;
  description?: string;
  style: string;
  explode: boolean;
  types: readonly string[];
  choices: unknown[];
  example?: unknown;
  keys: unknown[];
}

export interface FormBody {
  required: boolean;
  description?: string;
  contents: FormContent[];
}

export interface FormContent {
  mediaType: string;
  example: string;
  fields: BodyField[];
}

export interface BodyField {
  pointer: string;
  required: boolean;
  types: readonly string[];
  choices: unknown[];
  description?: string;
}

/** A request as it is sent. */
export interface Written {
  method: string;
  /** The path with the query. */
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** What someone wrote in the form of an operation. */
export interface FormDraft {
  /** The text of each parameter by {@link nameField}; an empty one is not sent. */
  values: Record<string, string>;
  /** The place of its media type in the contract. */
  content: number;
  body: string;
  withCredentials: boolean;
  /** By the name of the header field or query parameter. */
  credentials: Record<string, string>;
}

/** Where a violation of a parameter stands (`query/limit`), by which its field is found. */
export function nameField({ in: place, name }: Pick<FormParameter, 'in' | 'name'>): string {
  return `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
