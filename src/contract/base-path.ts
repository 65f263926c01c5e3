import type { SourceDocument } from './document/document.js';
import type { Notes } from './document/notes.js';
import { asList, asText } from './document/plain.js';
import { escapePointer } from './document/document.js';

/** The path of the first server with its variables at their defaults (OpenAPI 3.1, Server Object); `from` is the document's URL. */
export function readBasePath(document: SourceDocument, notes: Notes, from?: string): string {
  return readServer(document, '/servers/0', { notes, from })?.basePath ?? '';
}

/** Where operations are whose servers are not those of the document (OpenAPI 3.0.4, Path Item Object, `servers`). */
export interface OwnServer {
  /** The path of their server, without a trailing slash. */
  basePath: string;
  /** Its URL, if it is at another host than the document's. */
  elsewhere?: string;
}

/**
 * Reads the servers of an operation or of its path item, given by JSON Pointers, of which the first that has any counts;
 * `undefined` if they are the document's. Of several, one at the host of the document's first server is preferred.
 */
export function createServerReader(
  document: SourceDocument,
  notes: Notes,
): (owners: readonly string[]) => OwnServer | undefined {
  const count = (owner: string): number => asList(document.at(`${owner}/servers`)).length;
  const readAll = (owner: string): Server[] =>
    Array.from({ length: count(owner) }, (_, index) => index).flatMap(
      (index) => readServer(document, `${owner}/servers/${index}`, { notes }) ?? [],
    );
  const roots = readAll('');
  const [first] = roots;
  const isHere = ({ host }: Server): boolean =>
    host === undefined || (first?.host === undefined ? LOOPBACK.test(host) : host === first.host);
  const isNear = ({ host }: Server): boolean => roots.some((root) => root.host === host);
  const known = new Map<string, OwnServer | undefined>();
  const read = (owner: string): OwnServer | undefined => {
    const servers = readAll(owner);
    const server = servers.find(isHere) ?? servers.find(isNear) ?? servers[0];
    if (server === undefined) return undefined;
    const { basePath, url, pointer } = server;
    if (isHere(server) || isNear(server)) return basePath === (first?.basePath ?? '') ? undefined : { basePath };
    notes.add(
      pointer,
      `${url} is another host than that of the document's servers: the mock serves what is there at ${basePath || '/'}, and runs do not test it.`,
    );
    return { basePath, elsewhere: url };
  };
  return (owners) => {
    const owner = owners.find((each) => count(each) > 0);
    if (owner !== undefined && !known.has(owner)) known.set(owner, read(owner));
    return known.get(owner ?? '');
  };
}

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/;

interface Server {
  basePath: string;
  /** With its port; `undefined` for a relative URL. */
  host: string | undefined;
  url: string;
  pointer: string;
}

/** The server at a JSON Pointer; `undefined` if there is none. */
function readServer(
  document: SourceDocument,
  pointer: string,
  { notes, from = 'http://localhost' }: { notes: Notes; from?: string | undefined },
): Server | undefined {
  const url = document.at(`${pointer}/url`);
  if (typeof url !== 'string') return undefined;
  const resolved = url
    .replace(/\{([^}]+)\}/g, (_, name: string) => {
      const value = document.at(`${pointer}/variables/${escapePointer(name)}/default`);
      if (value === undefined)
        notes.add(
          `${pointer}/url`,
          `the server's address has {${name}}, whose value no variable gives; it is read as empty.`,
        );
      return asText(value) ?? '';
    })
    .trim();
  const { address, host } = nameHost(resolved);
  // A relative server URL is resolved against the document's own address; only its path matters here.
  const parsed = URL.canParse(address, from) ? new URL(address, from) : undefined;
  if (parsed === undefined)
    notes.add(`${pointer}/url`, `the server's address ${resolved} is not a URL; its path is ignored.`);
  const basePath = parsed?.pathname.replace(/\/+$/, '') ?? '';
  if (host !== undefined)
    notes.add(
      `${pointer}/url`,
      `the server's address ${resolved} has no scheme; ${host} is read as its host, and the base path is ${basePath || 'empty'}.`,
    );
  const isAbsolute = /^(?:[a-z][\w+.-]*:)?\/\//i.test(address);
  return { basePath, host: isAbsolute ? parsed?.host : undefined, url: resolved, pointer: `${pointer}/url` };
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
