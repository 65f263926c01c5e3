import { listShippedPacks } from '../../mock/fixtures/load-fixtures.js';
import type { Program } from '../options/define-options.js';
import { OPTIONS } from './options.js';

/** What the program is called, and what its help says beside its options. */
export const PETSTORE_MOCK: Program = {
  name: 'petstore-mock',
  description:
    'A stateful mock server for an OpenAPI document. It validates requests and its own responses. Without --spec, it serves the petstore.',
  commands: { mcp: 'serve the mock and the contract tests to coding agents (MCP over stdio)' },
  usual: ['port', 'spec', 'fixtures', 'data', 'delay', 'fault', 'api-key', 'watch', 'log', 'check'],
  shortNotes: `
Examples:
  petstore-mock --spec api.yaml --port 4011
  petstore-mock --delay 100-800 --fault '*:503:rate=0.1'`,
  usage: '[options]\n       petstore-mock mcp [options]',
  prefix: 'PETSTORE_MOCK_',
  options: OPTIONS,
  hint: 'To give several keys, repeat --api-key.',
  guessMeaning,
  notes: `
You can also set an option in the config file, under the name of its flag, or in
the environment: PETSTORE_MOCK_PORT, PETSTORE_MOCK_HOST and so on. The key is
PETSTORE_API_KEY; PETSTORE_MOCK_CORS=false means --no-cors; PORT is the port if
PETSTORE_MOCK_PORT is not set. A flag takes precedence over the environment, and
the environment over the config file. The token of the admin API comes from
PETSTORE_MOCK_ADMIN_TOKEN only.

Examples:
  petstore-mock                          50 pets on http://127.0.0.1:4010/v1
  petstore-mock --fixtures empty -p 0    no pets, on a free port
  petstore-mock --count 500 --seed 7     500 pets, always the same
  petstore-mock --delay 100-800          as slow as a real network
  petstore-mock --fault '*:503:rate=0.1' one request in ten fails
  petstore-mock --now 2030-12-05         the day the deprecated operation ends
  petstore-mock --config mock.yaml       options from a file
  petstore-mock --check --spec api.yaml  lists what the mock cannot serve
  petstore-mock mcp                      tools for coding agents
`,
};

function guessMeaning(word: string): string | undefined {
  if (/^\d+$/.test(word)) return `--port ${word}`;
  if (/\.(?:ya?ml|json)$/i.test(word)) return `--spec ${word}, or --fixtures or --config`;
  if (/^https?:/i.test(word)) return `petstore-conformance --target ${word}`;
  return listShippedPacks().includes(word) ? `--fixtures ${word}` : undefined;
}
