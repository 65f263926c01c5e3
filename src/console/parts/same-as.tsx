import type { JSX } from 'preact';
import { ADMIN, token } from '../api.js';
import { DEFAULT_WORLD, world } from '../state.js';
import { Snippet } from './copy-button.js';
import { printExact } from '../exact-json.js';

interface Props {
  /** The flag with the same effect from the start; `undefined` if there is none. */
  flag?: string | undefined;
  file?: { name: string; text: string };
  library: string;
  admin: { call: string; body?: unknown };
}

export function SameAs({ flag, file, library, admin }: Props): JSX.Element {
  const mock = world.value === DEFAULT_WORLD ? 'mock.' : `mock.world('${world.value}').`;
  return (
    <details class="same-as">
      <summary>As code</summary>
      {file === undefined ? null : <Snippet label={file.name} code={file.text} />}
      {flag === undefined ? (
        <p class="hint">There is no flag for it.</p>
      ) : (
        <Snippet label="Command line" code={`npx petstore-mock ${flag}`} />
      )}
      <Snippet label="Library" code={library.replace('mock.', () => mock)} />
      <Snippet label="Admin API" code={writeCurl(admin)} />
    </details>
  );
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
