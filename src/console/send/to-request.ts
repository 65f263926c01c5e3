import { parseExact, printExact, messageOf } from '../exact-json.js';

/** What a form begins with: what must be sent, and nothing else. */
export function beginDraft({ parameters, body, credentials }: OperationForm): FormDraft {
  return {
    values: Object.fromEntries(parameters.map((each) => [nameField(each), each.required ? textOfParameter(each) : ''])),
    content: 0,
    body: layOut(body?.contents[0]),
    withCredentials: true,
    credentials: {
      ...credentials.headers,
      ...Object.fromEntries(credentials.query.map(({ name, value }) => [name, value])),
    },
    more: '',
    files: {},
  };
}

export function layOut(content: FormContent | undefined): string {
  if (content === undefined || !isJson(content.mediaType) || content.example === '') return content?.example ?? '';
  return printExact(parseExact(content.example), '  ');
}

export const isJson = (mediaType: string): boolean => /[/+]json\b/.test(mediaType);

export function listMissing({ parameters, body }: OperationForm, { values, body: text }: FormDraft): string[] {
  const missing = parameters
    .filter((each) => each.required && (values[nameField(each)] ?? '') === '')
    .map((each) => nameField(each));
  return body?.required === true && text === '' ? [...missing, 'body'] : missing;
}

/** Why a text is no JSON; `undefined` if it is, or nothing is there. */
export function findJsonProblem(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    parseExact(text);
    return undefined;
  } catch (error) {
    return `This is not JSON: ${messageOf(error)}`;
  }
}

export interface Surroundings {
  mountPath: string;
  /** The world to send it to, if it is not the default one. */
  world: string | undefined;
}

export function toRequest(form: OperationForm, draft: FormDraft, { mountPath, world }: Surroundings): Written {
  const { method, parameters, credentials, body } = form;
  const headers: Record<string, string> = {};
  const query: string[] = [];
  const cookies: string[] = [];
  let path = form.path.replace(/[?#].*$/, '');
  for (const parameter of parameters) {
    const text = draft.values[nameField(parameter)] ?? '';
    const written = text === '' ? { text: '' } : writeParameter(parameter, text);
    if ('pairs' in written) (parameter.in === 'query' ? query : cookies).push(...written.pairs.map(joinPair));
    else if (parameter.in === 'path') path = path.replaceAll(`{${parameter.name}}`, () => written.text);
    else if (written.text !== '') headers[parameter.name] = written.text;
  }
  for (const [name, given] of draft.withCredentials ? Object.entries(draft.credentials) : []) {
    if (credentials.query.some((each) => each.name === name))
      query.push(joinPair([encodeURIComponent(name), encodeURIComponent(given)]));
    else if (name.toLowerCase() === 'cookie') cookies.push(given);
    else if (given !== '') headers[name] = given;
  }
  const { headers: more } = readHeaders(draft.more);
  for (const [name, given] of Object.entries(more)) {
    if (name.toLowerCase() === 'cookie') cookies.push(given);
    else headers[Object.keys(headers).find((each) => each.toLowerCase() === name.toLowerCase()) ?? name] = given;
  }
  if (cookies.length > 0) headers['Cookie'] = cookies.join('; ');
  if (world !== undefined) headers['X-Petstore-World'] = world;
  const content = body?.contents[draft.content];
  const base64 = content === undefined ? undefined : writeFiles(draft, content);
  const hasBody = content !== undefined && (draft.body !== '' || base64 !== undefined);
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  // Of a range such as `image/*`, the file says which.
  const fileType = draft.files['']?.type ?? '';
  const isRange = content?.mediaType.includes('*') === true && fileType !== '';
  if (hasBody && !isTyped) headers['Content-Type'] = isRange ? fileType : content.mediaType;
  return {
    method,
    target: `${mountPath}${form.base}${path.replace(/[^!-~]/gu, encodeURIComponent)}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers,
    body: hasBody && base64 === undefined ? writeBody(draft.body, content.mediaType) : undefined,
    ...(base64 === undefined ? {} : { base64 }),
  };
}

/** The body with its files, in Base64; `undefined` without files. */
function writeFiles({ files, body }: FormDraft, { mediaType }: FormContent): string | undefined {
  const whole = files[''];
  if (whole !== undefined) return whole.base64;
  if (Object.keys(files).length === 0 || !mediaType.startsWith('multipart/')) return undefined;
  // Latin-1 text holds bytes, as `btoa` takes them.
  let text = toBytes(writeBody(body, mediaType));
  for (const [name, file] of Object.entries(files)) text = putFile(text, name, file);
  return btoa(text);
}

const toBytes = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte)).join('');

/** Puts a file in the place of a part's content (RFC 7578). */
function putFile(form: string, name: string, { name: file, type, base64 }: SentFile): string {
  const quoted = toBytes(file.replaceAll('"', '%22'));
  const head = `Content-Disposition: form-data; name="${toBytes(name)}"; filename="${quoted}"\r\nContent-Type: ${type === '' ? 'application/octet-stream' : type}\r\n\r\n`;
  const [boundary = '--'] = form.split('\r\n', 1);
  const parts = form.split(boundary);
  const at = parts.findIndex((part) => part.includes(`name="${toBytes(name)}"`));
  const part = `\r\n${head}${atob(base64)}\r\n`;
  const filled = at === -1 ? [...parts.slice(0, -1), part, ...parts.slice(-1)] : parts.with(at, part);
  return filled.join(boundary);
}

const joinPair = ([name, value]: [string, string]): string => `${name}=${value}`;

/** Parts end their lines with CR LF (RFC 2046 section 4.1.1), which a text field does not keep. */
export const writeBody = (text: string, mediaType: string): string =>
  mediaType.startsWith('multipart/') ? text.replaceAll(/\r?\n/g, '\r\n') : text;

export const nameMediaType = (mediaType: string): string => mediaType.replace(/;.*$/, '');

export type WrittenParameter = { text: string } | { pairs: [name: string, value: string][] };

/** A list has one value per line, an object one `name=value`; what a field begins with is written so too. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(toText).join('\n');
  if (typeof value !== 'object') return printExact(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}=${toText(each)}`)
    .join('\n');
}

export function textOfParameter({ example, choices, style }: FormParameter): string {
  const value = example ?? choices[0];
  return style === 'json' && value !== undefined ? printExact(value) : toText(value);
}

export const takesLines = ({ types, style }: Pick<FormParameter, 'types' | 'style'>): boolean =>
  style !== 'json' && (types.includes('array') || types.includes('object'));

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** Writes the text of a field as OpenAPI says for its style (OpenAPI 3.1.1, Style Values). */
export function writeParameter(parameter: FormParameter, text: string): WrittenParameter {
  const { in: place, types, style, explode } = parameter;
  const name = encodeURIComponent(parameter.name);
  const encode = place === 'header' ? (each: string): string => each : encodeURIComponent;
  const hasPairs = place === 'query' || place === 'cookie';
  if (!takesLines(parameter)) {
    const before: Record<string, string> = { label: '.', matrix: `;${name}=` };
    if (hasPairs) return { pairs: [[name, encode(text)]] };
    return { text: `${place === 'path' ? (before[style] ?? '') : ''}${encode(text)}` };
  }
  const lines = text.split('\n').filter((line) => line !== '');
  const isList = types.includes('array') && !(types.includes('object') && lines.every((line) => line.includes('=')));
  const members = lines.map((line): [string, string] => {
    const [key = '', ...rest] = line.split('=');
    return [encode(key), encode(rest.join('='))];
  });
  const items = isList ? lines.map((line) => encode(line)) : members.map(joinPair);
  const flat = isList ? items : members.flat();
  if (hasPairs) {
    if (!isList && style === 'deepObject') return { pairs: members.map(([key, value]) => [`${name}[${key}]`, value]) };
    if (!explode) return { pairs: [[name, flat.join(SEPARATORS[style] ?? ',')]] };
    return { pairs: isList ? items.map((item) => [name, item]) : members };
  }
  // `.a.b`, `;name=a;name=b` and `a,b` if a list is exploded.
  if (style === 'label') return { text: `.${explode ? items.join('.') : flat.join(',')}` };
  if (style !== 'matrix') return { text: (explode ? items : flat).join(',') };
  if (!explode) return { text: `;${name}=${flat.join(',')}` };
  return { text: items.map((item) => (isList ? `;${name}=${item}` : `;${item}`)).join('') };
}

export function printHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Fields by name; repeated ones are joined (RFC 9110 section 5.3). The first line that is none comes back as `wrong`. */
export function readHeaders(text: string): { headers: Record<string, string>; wrong: string | undefined } {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim();
    if (colon < 1 || name === '') return { headers, wrong: line };
    const value = line.slice(colon + 1).trim();
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return { headers, wrong: undefined };
}

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

export type FormBody = { required: boolean; description?: string; contents: FormContent[] };

export interface FormContent {
  mediaType: string;
  example: string;
  fields: BodyField[];
  /** The fields of a form that are files; `['']` if the body itself is one. */
  files: readonly string[];
}

export interface BodyField {
  pointer: string;
  required: boolean;
  types: readonly string[];
  choices: unknown[];
  description?: string;
}

export interface Written {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** The body in Base64, if it has a file in it, which is no text; then in place of `body`. */
  base64?: string;
}

export type SentFile = { name: string; type: string; base64: string };

export interface FormDraft {
  values: Record<string, string>;
  content: number;
  body: string;
  withCredentials: boolean;
  credentials: Record<string, string>;
  more: string;
  /** By the name of the field of a form in parts; `''` for the body itself. */
  files: Readonly<Record<string, SentFile>>;
}

/** Where a violation of a parameter stands (`query/limit`), by which its field is found. */
export const nameField = ({ in: place, name }: Pick<FormParameter, 'in' | 'name'>): string =>
  `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** What a draft has beyond what a form begins with, as JSON, for an address; credentials and files are left out. `undefined` if that is nothing. */
export function packDraft(form: OperationForm, draft: FormDraft): string | undefined {
  const begun = beginDraft(form);
  const values = Object.entries(draft.values).filter(([name, text]) => text !== (begun.values[name] ?? ''));
  const packed = {
    ...(values.length === 0 ? {} : { values: Object.fromEntries(values) }),
    ...(draft.content === 0 ? {} : { content: draft.content }),
    ...(draft.body === begun.body ? {} : { body: draft.body }),
    ...(draft.more === '' ? {} : { more: draft.more }),
    ...(draft.withCredentials ? {} : { withCredentials: false }),
  };
  return Object.keys(packed).length === 0 ? undefined : JSON.stringify(packed);
}

export function unpackDraft(form: OperationForm, packed: string): FormDraft {
  const begun = beginDraft(form);
  let read: unknown;
  try {
    read = JSON.parse(packed);
  } catch {
    return begun;
  }
  // Anybody can write an address.
  const { values, content, body, more, withCredentials } = (read ?? {}) as Record<string, unknown>;
  const texts = Object.entries(values ?? {}).filter(([, text]) => typeof text === 'string');
  const chosen = typeof content === 'number' && form.body?.contents[content] !== undefined ? content : 0;
  return {
    ...begun,
    values: { ...begun.values, ...(Object.fromEntries(texts) as Record<string, string>) },
    content: chosen,
    body: typeof body === 'string' ? body : layOut(form.body?.contents[chosen]),
    more: typeof more === 'string' ? more : '',
    withCredentials: withCredentials !== false,
  };
}
