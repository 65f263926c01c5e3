import { createServerReader, findInQuery, listTemplateNames, readTail, readTemplate } from './match.js';
import { escapePointer, type SourceDocument, type Notes } from '../document/document.js';
import { shorten } from '../document/json.js';
import { asObject, asText, defined, isObject, splitList } from '../document/plain.js';
import { listIn, resolveAt } from '../document/references.js';
import {
  bareMediaType,
  normalizeMediaType,
  readParameterized,
  FORM,
  findSequenceKind,
  MULTIPART,
  isJsonMediaType,
} from '../media-types.js';
import {
  type Content,
  type Encoding,
  type Operation,
  type Parameter,
  type ParameterLocation,
  type ParameterStyle,
  type RequestBody,
  type ResponseHeader,
  type ResponseRule,
  TOKEN,
} from '../model.js';
import { asksForCredentials, createSecurityReader, type SecurityReader } from '../security.js';
import { listProperties, readValueShape, readProperties } from './properties.js';
import { saysUnauthenticated } from './said-in-words.js';
import { readBesideNull, isRule } from '../schemas/dialect.js';

/** `query` since OpenAPI 3.2. */
const METHODS = splitList('get put post delete options head patch trace query');
export const ERROR_SCHEMA = '/components/schemas/Error';

/** Reads every operation of an OpenAPI document. An odd one is noted, and read as far as possible. */
export function readOperations(document: SourceDocument, notes: Notes): Operation[] {
  const reader = new OperationReader(document, notes);
  const seen = new Set<string>();
  const operations = reader
    .listPaths()
    .flatMap((path) => reader.readPathItem(path))
    .map((operation) => {
      const { id, method, path, pointer } = operation;
      const name = `${method} ${path}`;
      const isKnown = seen.has(id);
      seen.add(id);
      if (!isKnown) return operation;
      const message = `two operations have the operationId ${id}; the second is called ${name} instead.`;
      notes.add(`${pointer}/operationId`, message);
      return Object.assign({}, operation, { id: name });
    });
  for (const operation of operations) reader.noteOperation(operation);
  return operations;
}

/** The documented response for a status: the exact one, else its range, else `default` (OpenAPI 3.1, Responses Object). */
export function findResponse(operation: Operation, status: number): ResponseRule | undefined {
  const find = (text: string): ResponseRule | undefined => operation.responses.find((rule) => rule.status === text);
  return find(String(status)) ?? find(`${Math.floor(status / 100)}XX`) ?? find('default');
}

export function listMediaTypes(operation: Operation): string[] {
  const types = operation.responses.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  return types.length === 0 ? ['application/json'] : [...new Set(types)];
}

class OperationReader {
  readonly #document: SourceDocument;
  readonly #notes: Notes;
  readonly #readSecurity: SecurityReader;
  readonly #readOwnServer: ReturnType<typeof createServerReader>;

  constructor(document: SourceDocument, notes: Notes) {
    this.#document = document;
    this.#notes = notes;
    this.#readSecurity = createSecurityReader(document, notes);
    this.#readOwnServer = createServerReader(document, notes);
  }

  /** The paths that can be served; notes others, and those that are the same (OpenAPI 3.1.1, Paths Object). */
  listPaths(): string[] {
    const all = Object.entries(asObject(this.#document.at('/paths'))).filter(([path]) => !path.startsWith('x-'));
    const known = new Map<string, string>();
    return all.flatMap(([path, item]) => {
      const pointer = `/paths/${escapePointer(path)}`;
      if (!path.startsWith('/')) {
        if (typeof item === 'object')
          this.#notes.add(pointer, `the path ${path} does not begin with a slash; its operations are ignored.`);
        return [];
      }
      if (path.length > LONGEST_PATH) {
        const why = 'is longer than a request may be; its operations are ignored.';
        this.#notes.add(pointer, `the path ${shorten(path)} ${why}`);
        return [];
      }
      const texts = readTemplate(path).map(({ text }) => text.replaceAll(/\{[^{}]+\}/g, '{}'));
      const same = `${texts.join('/')}#${readTail(path)}`;
      const first = known.get(same);
      known.set(same, first ?? path);
      const rule = 'if both have an operation with the same method, the first one is used.';
      if (first !== undefined)
        this.#notes.add(pointer, `the paths ${first} and ${path} differ only in parameter names; ${rule}`);
      return [path];
    });
  }

  readPathItem(path: string): Operation[] {
    const { value, pointer } = resolveAt(this.#document, `/paths/${escapePointer(path)}`);
    const item = asObject(value);
    const usual = METHODS.filter((method) => isObject(item[method]));
    // OpenAPI 3.2, Path Item Object.
    const others = Object.keys(asObject(item['additionalOperations']));
    return [
      ...usual.map((method) => this.#readOperation(path, method, pointer, method)),
      ...others.map((method) =>
        this.#readOperation(path, method, pointer, `additionalOperations/${escapePointer(method)}`),
      ),
    ];
  }

  #readOperation(path: string, method: string, item: string, at: string): Operation {
    const document = this.#document;
    // OpenAPI has no references in place of operations, but documents do.
    const { pointer } = resolveAt(document, `${item}/${at}`);
    const source = asObject(document.at(pointer));
    const hasOwn = source['security'] !== undefined;
    const { security, scopes } = this.#readSecurity(hasOwn ? `${pointer}/security` : '/security');
    // `This endpoint is not authenticated`, where it was forgotten to write `security: []`.
    const isOpen = !hasOwn && asksForCredentials(security) && saysUnauthenticated(source);
    if (isOpen)
      this.#notes.add(
        pointer,
        'its text says that it needs no credentials, and it has no `security` of its own: none are asked for',
      );
    return {
      id: asText(source['operationId']) ?? `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      ...defined({ server: this.#readOwnServer([pointer, item]) }),
      parameters: this.#fitToPath(this.#readParameters([item, pointer]), path, pointer),
      requestBody: isObject(source['requestBody']) ? this.#readBody(`${pointer}/requestBody`) : undefined,
      responses: this.#readResponses(pointer),
      security,
      scopes,
      secured: asksForCredentials(security) && !isOpen,
      deprecated: source['deprecated'] === true,
      sunset: this.#readSunset(`${pointer}/x-sunset`),
      successor: asText(source['x-successor']),
      pointer,
    };
  }

  #readParameters(owners: readonly string[]): Parameter[] {
    const byKey = new Map<string, { parameter: Parameter; owner: string }>();
    // An operation's own parameter replaces the path's of the same name and place (OpenAPI 3.1.1, Operation Object).
    for (const owner of owners)
      for (const at of listIn(asObject(this.#document.at(owner)), owner, ['parameters'])) {
        const parameter = this.#readParameter(at);
        if (parameter === undefined) continue;
        const key = `${parameter.in} ${parameter.name}`;
        const message = `there are two parameters ${parameter.name} in ${parameter.in}; the last one is used.`;
        if (byKey.get(key)?.owner === owner) this.#notes.add(parameter.pointer, message);
        byKey.set(key, { parameter, owner });
      }
    return [...byKey.values()].map(({ parameter }) => parameter);
  }

  #readParameter(at: string): Parameter | undefined {
    const { value, pointer } = resolveAt(this.#document, at);
    const { name, in: given, required, schema, content, style: written, explode, allowEmptyValue } = asObject(value);
    const isWhole = given === 'querystring';
    const place = isWhole ? 'query' : given;
    const problem = findProblem(name, place);
    if (problem !== undefined) this.#notes.add(pointer, problem);
    if (problem !== undefined || typeof name !== 'string' || !isLocation(place)) return undefined;
    const [mediaType] = Object.keys(asObject(content));
    if (schema === undefined && mediaType === undefined)
      this.#notes.add(pointer, `the parameter ${name} has neither schema nor content; any value is accepted.`);
    const { schemaPointer, isJson } = this.#findSchema(pointer);
    const ofSchema = (): ParameterStyle => (isJson ? 'json' : this.#readStyle(asText(written), pointer, place));
    const style = isWhole ? 'querystring' : ofSchema();
    // OpenAPI 3.2.0, Encoding Object: it applies to forms.
    const form = resolveAt(this.#document, `${pointer}/content/${escapePointer(FORM)}`).pointer;
    const { encoding } = isWhole ? this.#readEncoding(form, schemaPointer) : {};
    return {
      name,
      in: place,
      required: place === 'path' || required === true,
      pointer,
      schema: schemaPointer === undefined ? {} : readBesideNull(this.#document, schemaPointer),
      schemaPointer,
      shape: readValueShape(this.#document, schemaPointer),
      style,
      ...(isWhole ? { mediaType: mediaType ?? FORM } : {}),
      explode: explode === undefined ? ['form', 'cookie', 'deepObject'].includes(style) : explode === true,
      ...(allowEmptyValue === true ? { allowsEmpty: true } : {}),
      ...defined({ encoding }),
    };
  }

  #readStyle(style: string | undefined, pointer: string, place: ParameterLocation): ParameterStyle {
    const [usual = 'form'] = STYLES[place];
    const known = STYLES[place].find((each) => each === style);
    const offered = `(only ${STYLES[place].join(', ')}); it is read as ${usual}.`;
    if (style !== undefined && known === undefined)
      this.#notes.add(`${pointer}/style`, `the style ${style} is not allowed in ${place} ${offered}`);
    return known ?? usual;
  }

  /** A parameter has a schema, or content of one media type (OpenAPI 3.1.1, Parameter Object). */
  #findSchema(pointer: string): { schemaPointer: string | undefined; isJson: boolean } {
    const { schema, content } = asObject(this.#document.at(pointer));
    const settle = (at: string): string => resolveAt(this.#document, at).pointer;
    if (schema !== undefined) return { schemaPointer: settle(`${pointer}/schema`), isJson: false };
    const [mediaType] = Object.keys(asObject(content));
    if (mediaType === undefined) return { schemaPointer: undefined, isJson: false };
    const at = `${settle(`${pointer}/content/${escapePointer(mediaType)}`)}/schema`;
    const schemaPointer = this.#document.at(at) === undefined ? undefined : settle(at);
    return { schemaPointer, isJson: isJsonMediaType(mediaType) };
  }

  #fitToPath(parameters: readonly Parameter[], path: string, pointer: string): Parameter[] {
    const names = new Set(listTemplateNames(path));
    const fitting = parameters.flatMap((parameter): Parameter[] => {
      const { in: place, name, pointer: at } = parameter;
      if (place !== 'path' || names.delete(name)) return [parameter];
      const queried = findInQuery(path, name);
      if (queried === undefined) {
        this.#notes.add(at, `the path ${path} does not contain {${name}}, so the parameter is ignored.`);
        return [];
      }
      const meant = `${queried} is a query parameter.`;
      this.#notes.add(at, `the path ${path} has a query, which is not part of a path; ${meant}`);
      return [{ ...parameter, name: queried, in: 'query', required: false, style: 'form' }];
    });
    const undeclared = [...names].map((name) => {
      const handled = 'but no parameter declares it; any text is accepted.';
      this.#notes.add(pointer, `the path ${path} contains {${name}}, ${handled}`);
      const own = { name, pointer, schema: {}, schemaPointer: undefined, shape: { types: ['string'] } };
      return Object.assign(own, { in: 'path', required: true, style: 'simple', explode: false } as const);
    });
    return [...fitting, ...undeclared];
  }

  #readBody(at: string): RequestBody {
    const { value, pointer } = resolveAt(this.#document, at);
    const content = this.#readContent(pointer);
    const fields = content.flatMap(({ schemaPointer }) =>
      schemaPointer === undefined ? [] : [...listProperties(this.#document, schemaPointer)],
    );
    return { required: asObject(value)['required'] === true, content, fields: new Set(fields), pointer };
  }

  #readResponses(operation: string): ResponseRule[] {
    const statuses = Object.keys(asObject(this.#document.at(`${operation}/responses`))).filter(isStatus);
    return statuses.map((key) => {
      const { pointer } = resolveAt(this.#document, `${operation}/responses/${escapePointer(key)}`);
      const status = key === 'default' ? key : key.toUpperCase();
      return { status, content: this.#readContent(pointer), headers: this.#readHeaders(pointer), pointer };
    });
  }

  #readContent(owner: string): Content[] {
    const document = this.#document;
    return Object.keys(asObject(document.at(`${owner}/content`))).map((name) => {
      // OpenAPI 3.2: a media type may be a reference.
      const { pointer } = resolveAt(document, `${owner}/content/${escapePointer(name)}`);
      const schemaPointer = document.at(`${pointer}/schema`) === undefined ? undefined : `${pointer}/schema`;
      const bare = bareMediaType(name);
      // A form may be sent under a range, too.
      const isForm = bare === FORM || bare.startsWith('multipart/') || /^(?:application|\*)\/\*$/.test(bare);
      const item = `${pointer}/itemSchema`;
      const isSequence = document.at(item) !== undefined && findSequenceKind(name) !== undefined;
      const isUtf8 = /^utf-?8$/i.test(readParameterized(name).parameters['charset'] ?? '');
      const shape = isForm || bare.startsWith('text/') ? readValueShape(document, schemaPointer) : { types: [] };
      const more = defined({ itemPointer: isSequence ? item : undefined, isUtf8: isUtf8 || undefined });
      const encoding = isForm ? this.#readEncoding(pointer, schemaPointer) : {};
      return Object.assign({ mediaType: normalizeMediaType(name), schemaPointer, shape }, encoding, more);
    });
  }

  /** Each like a parameter of style `simple`, or with content (OpenAPI 3.0.4, Header Object). */
  #readHeaders(owner: string): ResponseHeader[] {
    const names = Object.keys(asObject(this.#document.at(`${owner}/headers`)));
    return names
      .filter((name) => name.toLowerCase() !== 'content-type')
      .map((name) => {
        const { value, pointer } = resolveAt(this.#document, `${owner}/headers/${escapePointer(name)}`);
        const { schemaPointer, isJson } = this.#findSchema(pointer);
        return {
          name,
          required: asObject(value)['required'] === true,
          shape: readValueShape(this.#document, schemaPointer),
          style: isJson ? 'json' : 'simple',
          explode: asObject(value)['explode'] === true,
          schemaPointer,
          pointer,
        };
      });
  }

  #readEncoding(owner: string, schemaPointer: string | undefined): Pick<Content, 'encoding' | 'files'> {
    const document = this.#document;
    const encoding = Object.keys(asObject(document.at(`${owner}/encoding`))).map((name): [string, Encoding] => {
      const { value, pointer } = resolveAt(document, `${owner}/encoding/${escapePointer(name)}`);
      const { style: given, explode: spread, contentType } = asObject(value);
      const headers = this.#readHeaders(pointer);
      const style = FORM_STYLES.find((each) => each === given);
      const explode = typeof spread === 'boolean' ? spread : undefined;
      const mediaType = asText(contentType)?.trim().toLowerCase();
      const stated = defined({ style, explode, mediaType, headers: headers.length === 0 ? undefined : headers });
      return [name, Object.assign(stated, { pointer })];
    });
    const properties = schemaPointer === undefined ? [] : readProperties(document, schemaPointer);
    const files = properties.filter(
      ({ schemaPointer: at }) => isFile(document, at) || isFile(document, `${resolveAt(document, at).pointer}/items`),
    );
    return {
      ...(encoding.length === 0 ? {} : { encoding: Object.fromEntries(encoding) }),
      ...(files.length === 0 ? {} : { files: files.map(({ name }) => name) }),
    };
  }

  #readSunset(pointer: string): string | undefined {
    const day = this.#document.at(pointer);
    if (day === undefined) return undefined;
    const text = asText(day) ?? '';
    const time = Date.parse(`${text}T00:00:00Z`);
    // `Date.parse` reads the 31st of February as the 3rd of March.
    if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(`${text}T`)) return text;
    this.#notes.add(pointer, `x-sunset must be a day such as 2030-12-05, not ${shorten(day)}; it is ignored.`);
    return undefined;
  }

  noteOperation({ id, pointer, responses, requestBody }: Operation): void {
    const keys = Object.keys(asObject(this.#document.at(`${pointer}/responses`)));
    for (const key of keys.filter((each) => !isStatus(each) && !each.startsWith('x-')))
      this.#notes.add(
        `${pointer}/responses/${escapePointer(key)}`,
        `a response needs a status, a range such as 4XX, or default, not ${shorten(key)}; it is ignored.`,
      );
    if (responses.length === 0)
      this.#notes.add(pointer, `${id} documents no response; the mock returns 501 where it would return a success.`);
    for (const { status, content, pointer: at } of responses)
      if (/^(?:204|205|304|1\d\d)$/.test(status) && content.length > 0)
        this.#notes.add(`${at}/content`, `a ${status} response has no body (RFC 9110); its \`content\` is ignored.`);
    for (const { mediaType, schemaPointer = '' } of (requestBody?.content ?? []).filter((each) => !isValidated(each))) {
      const schema = asObject(schemaPointer === '' ? undefined : resolveAt(this.#document, schemaPointer).value);
      // Of a text or of bytes, `type: string` and its format say nothing that could be broken.
      const hasRules = Object.keys(schema).some(
        (name) => isRule(name) && name !== 'format' && (name !== 'type' || schema[name] !== 'string'),
      );
      if (hasRules) this.#notes.add(schemaPointer, `the body ${mediaType} of ${id} is not validated.`);
    }
  }
}

/** Node takes request lines and header fields of 16 KiB together. */
const LONGEST_PATH = 8000;

/** The styles of each place, the usual one first (OpenAPI 3.1.1, Style Values). */
const STYLES: Readonly<Record<ParameterLocation, readonly ParameterStyle[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};
const FORM_STYLES = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const;

const isLocation = (place: unknown): place is ParameterLocation =>
  typeof place === 'string' && Object.hasOwn(STYLES, place);

/** Why a parameter is ignored: header fields are described elsewhere, too (OpenAPI 3.1.1, Parameter Object). */
function findProblem(name: unknown, place: unknown): string | undefined {
  if (typeof name !== 'string' || !isLocation(place))
    return 'a parameter needs a name, and an `in` of path, query, querystring, header or cookie; this one is ignored.';
  if (place === 'header' && /^(?:accept|content-type|authorization)$/i.test(name)) {
    const where = /^auth/i.test(name) ? 'security schemes describe' : 'the content describes';
    return `a parameter cannot be the header field ${name}, which ${where}; it is ignored.`;
  }
  return (place === 'header' || place === 'cookie') && !TOKEN.test(name)
    ? `${JSON.stringify(name)} is not a valid ${place} name; this parameter is ignored.`
    : undefined;
}

const isStatus = (key: string): boolean => /^(?:[1-9]\d\d|[1-5]XX|default)$/i.test(key);

/** OpenAPI 3.0 has `format: binary`, 3.1 the keywords of JSON Schema, Swagger a type of its own. */
function isFile(document: SourceDocument, at: string): boolean {
  const { type, format, contentMediaType, contentEncoding } = asObject(resolveAt(document, at).value);
  const isBytes = ['binary', 'byte', 'base64'].includes(String(format));
  return type === 'file' || isBytes || contentMediaType !== undefined || contentEncoding !== undefined;
}

function isValidated({ mediaType, itemPointer, shape }: Content): boolean {
  const bare = bareMediaType(mediaType);
  if (itemPointer !== undefined || bare === FORM || bare === MULTIPART || isJsonMediaType(bare)) return true;
  if (bare.startsWith('text/')) return shape.types.length === 0 || shape.types.includes('string');
  return /^(?:application|\*)\/\*$/.test(bare);
}

/** Whether a contract documents only errors of an operation (OpenAPI 3.1.1, Responses Object). */
export const leavesSuccessOpen = ({ responses }: Operation): boolean =>
  responses.length > 0 && responses.every((rule) => /^[345]/.test(rule.status));

/** Whether an operation documents both statuses with which services refuse an invalid request. */
export const statesBothRejections = ({ responses }: Pick<Operation, 'responses'>): boolean =>
  ['400', '422'].every((wanted) => responses.some(({ status }) => status === wanted));

/** Whether clients send a field unasked, as browsers do `Accept-Language` (RFC 9110): its value breaks no schema. */
export const isClientsOwn = (name: string): boolean => CLIENTS_OWN.test(name);

/** RFC 9110 sections 7.2, 10.1 and 12.5; the forbidden request headers of the Fetch standard; those of browsers. */
const CLIENTS_OWN =
  /^(?:accept-(?:language|encoding|charset)|user-agent|host|origin|referer|connection|keep-alive|content-length|cache-control|pragma|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|via|dnt|priority|save-data|access-control-request-.*|sec-.*|proxy-.*)$/i;

/** draft-ietf-httpapi-idempotency-key-header: sending it again makes no second record. */
export const isRepeatKey = (name: string): boolean => /^(?:x-)?idempotency-key$/i.test(name);

/** Whether a request must say which version of a record it means (RFC 9110 section 13.1.1). */
export const requiresTag = ({ parameters }: Pick<Operation, 'parameters'>): boolean =>
  parameters.some(({ required, in: place, name }) => required && place === 'header' && isTagName(name));

export const isTagName = (name: string): boolean => /^if-match$/i.test(name);

/** Whether its answers say which version of a record they show. */
export function showsTag({ method, responses }: Pick<Operation, 'method' | 'responses'>): boolean {
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  return method === 'GET' && successes.some(({ headers }) => headers.some(({ name }) => /^etag$/i.test(name)));
}
