import type { SourceDocument } from './document/document.js';
import type { Notes } from './document/notes.js';
import { asList, asObject, asText } from './document/plain.js';
import { escapePointer } from './document/document.js';

/**
 * The paths of the servers with their variables at any value that is listed, first that of the first server at the defaults
 * (OpenAPI 3.1, Server Object); `from` is the document's URL. Where nothing but another host has no path, that is noted:
 * below it, a request without the base path would be none that is wrong.
 */
export function readBasePaths(document: SourceDocument, notes: Notes, from?: string): string[] {
  const servers = readServers(document, '', { notes, from });
  const own = servers[0]?.basePath ?? '';
  const served = servers.flatMap(({ host, url, pointer, basePaths }) => {
    if (own === '' || host === servers[0]?.host || !basePaths.includes('')) return basePaths;
    notes.add(pointer, `the server ${url} has no base path: the mock serves only paths below ${own}.`);
    return basePaths.filter((each) => each !== '');
  });
  return [...new Set([own, ...served])];
}

/** Where operations are whose servers are not those of the document (OpenAPI 3.0.4, Path Item Object, `servers`). */
export interface OwnServer {
  /** The path of their server, without a trailing slash. */
  basePath: string;
  /** Those of their other servers, if they have several. */
  others?: readonly string[];
  /** Its URL, if it is at another host than the document's. */
  elsewhere?: string;
}

/**
 * Reads the servers of an operation or of its path item, given by JSON Pointers, of which the first that has any counts;
 * `undefined` if they are the document's. Of several, one at the host of the document's first server is preferred, and then
 * the mock serves none that is at a host of its own.
 */
export function createServerReader(
  document: SourceDocument,
  notes: Notes,
): (owners: readonly string[]) => OwnServer | undefined {
  const roots = readServers(document, '', { notes });
  const [first] = roots;
  const isHere = ({ host }: Server): boolean =>
    host === undefined || (first?.host === undefined ? LOOPBACK.test(host) : host === first.host);
  const isNear = ({ host }: Server): boolean => roots.some((root) => root.host === host);
  const known = new Map<string, OwnServer | undefined>();
  const read = (owner: string): OwnServer | undefined => {
    const servers = readServers(document, owner, { notes });
    const server = servers.find(isHere) ?? servers.find(isNear) ?? servers[0];
    if (server === undefined) return undefined;
    const { basePath, url, pointer } = server;
    const isElsewhere = !isHere(server) && !isNear(server);
    const served = servers.filter((each) => isElsewhere || isHere(each) || isNear(each));
    const paths = new Set(served.flatMap(({ basePaths }) => basePaths));
    const others = [...paths].filter((each) => each !== basePath);
    const own: OwnServer = others.length === 0 ? { basePath } : { basePath, others };
    for (const each of servers.filter((one) => !served.includes(one)))
      notes.add(
        each.pointer,
        `${each.url} is on another host than the servers of the document; the mock serves its operations at ${basePath || '/'}.`,
      );
    if (!isElsewhere) return basePath === (first?.basePath ?? '') && others.length === 0 ? undefined : own;
    notes.add(
      pointer,
      `${url} is on another host than the servers of the document: the mock serves its operations at ${basePath || '/'}, and the runner does not test them.`,
    );
    return { ...own, elsewhere: url };
  };
  return (owners) => {
    const owner = owners.find((each) => asList(document.at(`${each}/servers`)).length > 0);
    if (owner !== undefined && !known.has(owner)) known.set(owner, read(owner));
    return known.get(owner ?? '');
  };
}

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/;

interface Server {
  basePath: string;
  /** With its variables at any of their values; that of the defaults first. */
  basePaths: readonly string[];
  /** With its port; `undefined` for a relative URL. */
  host: string | undefined;
  url: string;
  pointer: string;
}

interface ReadOptions {
  notes: Notes;
  from?: string | undefined;
}

function readServers(document: SourceDocument, owner: string, options: ReadOptions): Server[] {
  const pointers = [...asList(document.at(`${owner}/servers`)).keys()].map((index) => `${owner}/servers/${index}`);
  return pointers.flatMap((pointer) => readServer(document, pointer, options) ?? []);
}

/** The server at a JSON Pointer; `undefined` if there is none. */
function readServer(
  document: SourceDocument,
  pointer: string,
  { notes, from = 'http://localhost' }: ReadOptions,
): Server | undefined {
  const url = document.at(`${pointer}/url`);
  if (typeof url !== 'string') return undefined;
  const [resolved = '', ...choices] = fillVariables(document, url, { pointer, notes });
  const { address, host } = nameHost(resolved);
  const basePath = readPath(address, from);
  if (basePath === undefined)
    notes.add(`${pointer}/url`, `the server URL ${resolved} is not valid; its path is ignored.`);
  if (host !== undefined)
    notes.add(
      `${pointer}/url`,
      `the server URL ${resolved} has no scheme; ${host} is read as its host, and the base path is ${basePath || 'empty'}.`,
    );
  const isAbsolute = /^(?:[a-z][\w+.-]*:)?\/\//i.test(address);
  const others = choices.flatMap((each) => readPath(nameHost(each).address, from) ?? []);
  return {
    basePath: basePath ?? '',
    basePaths: [...new Set([basePath ?? '', ...others])],
    host: isAbsolute && basePath !== undefined ? new URL(address, from).host : undefined,
    url: resolved,
    pointer: `${pointer}/url`,
  };
}

/** A relative server URL is resolved against the document's own address; only its path matters here. */
function readPath(address: string, from: string): string | undefined {
  return URL.canParse(address, from) ? new URL(address, from).pathname.replace(/\/+$/, '') : undefined;
}

/** Nobody lists more; the values of several variables multiply. */
const MOST_CHOICES = 200;

/** The URL with its variables at their defaults, then with the other values that they may have (OpenAPI 3.1, Server Variable Object). */
function fillVariables(
  document: SourceDocument,
  url: string,
  { pointer, notes }: { pointer: string; notes: Notes },
): string[] {
  const parts = url.split(/\{([^}]+)\}/);
  return parts
    .reduce<string[]>(
      (filled, part, index) => {
        if (index % 2 === 0) return filled.map((each) => each + part);
        const variable = asObject(document.at(`${pointer}/variables/${escapePointer(part)}`));
        if (variable['default'] === undefined)
          notes.add(
            `${pointer}/url`,
            `the server URL has the variable {${part}} without a default; it is read as empty.`,
          );
        const listed = asList(variable['enum']).flatMap((each) => asText(each) ?? []);
        const values = new Set([asText(variable['default']) ?? '', ...listed]);
        return filled.flatMap((each) => [...values].map((value) => each + value)).slice(0, MOST_CHOICES);
      },
      [''],
    )
    .map((each) => each.trim());
}

/** An address in which a URL finds the host, and the host if it had no scheme before it. */
function nameHost(resolved: string): { address: string; host?: string } {
  // `https://https://api.example.com`: a scheme in Swagger's `host`, or in the default of a variable.
  const once = resolved.replace(/^(?:[a-z][\w+.-]*:)?\/\/(?=[a-z][\w+.-]*:\/\/)/i, '');
  // `https://{host}/v1` and `{scheme}://host/v1`, where the variable has no default.
  const whole = once.replace(/^(?:[a-z][\w+.-]*:|:)?\/\/(?=\/|$)/i, '//localhost').replace(/^:\/\//, '//');
  const host = HOST.exec(whole)?.[0];
  return host === undefined ? { address: whole } : { address: `//${whole}`, host };
}

/** What begins an address and can only be a host: `api.example.com`, `localhost`, `10.0.0.1`, `gateway:8080`; no `v1.0`. */
const HOST =
  /^(?!v\d+\.)(?:localhost|(?:[a-z\d-]+\.)+[a-z]{2,}|\d{1,3}(?:\.\d{1,3}){3}|[a-z\d.-]+(?=:\d))(?::\d+)?(?=[/?#]|$)/i;
