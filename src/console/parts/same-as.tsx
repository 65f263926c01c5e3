import type { JSX } from 'preact';
import { ADMIN, token } from '../api.js';
import { DEFAULT_WORLD, world } from '../state.js';
import { Snippet } from './copy-button.js';
import { printExact } from '../exact-json.js';

interface Props {
  /** The flag with the same effect from the start; `undefined` if there is none. */
  flag?: string | undefined;
  /** The file that the flag needs. */
  file?: { name: string; text: string };
  library: string;
  /** Method and path of the admin API, and the body to send. */
  admin: { call: string; body?: unknown };
}

/** The flag, the library call and the admin API call that do the same as a panel. */
export function SameAs({ flag, file, library, admin }: Props): JSX.Element {
  return (
    <details class="same-as">
      <summary>As code</summary>
      {file === undefined ? null : <Snippet label={file.name} code={file.text} />}
      {flag === undefined ? (
        <p class="hint">There is no flag for it.</p>
      ) : (
        <Snippet label="Command line" code={`npx petstore-mock ${flag}`} />
      )}
      <Snippet label="Library" code={inWorld(library)} />
      <Snippet label="Admin API" code={writeCurl(admin)} />
    </details>
  );
}

/** The library's expressions for the selected world. */
function inWorld(library: string): string {
  if (world.value === DEFAULT_WORLD) return library;
  return library.replace('mock.', `mock.world('${world.value}').`);
}

function writeCurl({ call, body }: Props['admin']): string {
  const [method = 'GET', path = ''] = call.split(' ');
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const needsWorld = world.value !== DEFAULT_WORLD && !path.startsWith('/worlds');
  const query = needsWorld ? `${path.includes('?') ? '&' : '?'}world=${world.value}` : '';
  return [
    'curl',
    ...(token.value === '' ? [] : ['-H "Authorization: Bearer $PETSTORE_MOCK_ADMIN_TOKEN"']),
    ...(method === 'GET' || method === 'POST' ? [] : [`-X ${method}`]),
    ...(hasBody ? [`-H 'Content-Type: application/json' -d '${printExact(body ?? {}).replaceAll("'", `'\\''`)}'`] : []),
    `'${location.origin}${ADMIN}${path}${query}'`,
  ].join(' ');
}
