import type { SourceDocument } from './document/document.js';
import type { Notes } from './document/notes.js';

/** The path of the first server with its variables at their defaults (OpenAPI 3.1, Server Object); `from` is the document's URL. */
export function readBasePath(document: SourceDocument, notes: Notes, from: string = 'http://localhost'): string {
  const url = document.at('/servers/0/url');
  if (typeof url !== 'string') return '';
  const resolved = url
    .replace(/\{([^}]+)\}/g, (_, name: string) => document.textAt(`/servers/0/variables/${name}/default`) ?? '')
    .trim();
  const { address, host } = nameHost(resolved);
  // A relative server URL is resolved against the document's own address; only its path matters here.
  const parsed = URL.canParse(address, from) ? new URL(address, from) : undefined;
  if (parsed === undefined)
    notes.add('/servers/0/url', `the server's address ${resolved} is not a URL; its path is ignored.`);
  const basePath = parsed?.pathname.replace(/\/+$/, '') ?? '';
  if (host !== undefined)
    notes.add(
      '/servers/0/url',
      `the server's address ${resolved} has no scheme; ${host} is read as its host, and the base path is ${basePath || 'empty'}.`,
    );
  return basePath;
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
