import { parseExact, printExact } from '../exact-json.js';
import { nameField, type FormContent, type FormDraft, type OperationForm, type Written } from './model.js';
import { beginText, writeParameter } from './write-parameter.js';

/** What a form begins with: what must be sent, and nothing else. */
export function beginDraft({ parameters, body, credentials }: OperationForm): FormDraft {
  return {
    values: Object.fromEntries(parameters.map((each) => [nameField(each), each.required ? beginText(each) : ''])),
    content: 0,
    body: layOut(body?.contents[0]),
    withCredentials: true,
    credentials: {
      ...credentials.headers,
      ...Object.fromEntries(credentials.query.map(({ name, value }) => [name, value])),
    },
  };
}

/** The example of a body, to be read and changed. */
export function layOut(content: FormContent | undefined): string {
  if (content === undefined || !isJson(content.mediaType) || content.example === '') return content?.example ?? '';
  return printExact(parseExact(content.example), '  ');
}

export function isJson(mediaType: string): boolean {
  return /[/+]json\b/.test(mediaType);
}

/** What the contract requires and the draft lacks, by field. */
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
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export interface Surroundings {
  mountPath: string;
  /** The world to send it to, if it is not the default one. */
  world: string | undefined;
}

/** The request that a form states. */
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
  if (cookies.length > 0) headers['Cookie'] = cookies.join('; ');
  if (world !== undefined) headers['X-Petstore-World'] = world;
  const content = body?.contents[draft.content];
  const hasBody = content !== undefined && draft.body !== '';
  if (hasBody) headers['Content-Type'] = content.mediaType;
  return {
    method,
    target: `${mountPath}${form.base}${encodeAll(path)}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers,
    body: hasBody ? writeBody(draft.body, content.mediaType) : undefined,
  };
}

/** What a path of the contract has beyond visible ASCII. */
function encodeAll(path: string): string {
  return path.replace(/[^!-~]/gu, encodeURIComponent);
}

function joinPair([name, value]: [string, string]): string {
  return `${name}=${value}`;
}

/** Parts end their lines with CR LF (RFC 2046 section 4.1.1), which a text field does not keep. */
export function writeBody(text: string, mediaType: string): string {
  return mediaType.startsWith('multipart/') ? text.replaceAll(/\r?\n/g, '\r\n') : text;
}

/** A media type without its parameters. */
export function nameMediaType(mediaType: string): string {
  return mediaType.replace(/;.*$/, '');
}
