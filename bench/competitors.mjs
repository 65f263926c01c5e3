import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { pets } from './pets.mjs';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));
const PROGRAM = file('../dist/cli/petstore-mock.js');
const peer = (name) => file(`node_modules/${name}`);
const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
const write = (name, content) => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};

const NEW_PET = { name: 'Rex', categoryId: 3, status: 'available' };

/** The work, as each server wants to be asked for it: a load is a list of requests that are sent in turn. */
function describeLoads({ base, limit = 'limit', status = 'status' }) {
  const list20 = { method: 'GET', path: `${base}/pets?${limit}=20` };
  const list100 = { method: 'GET', path: `${base}/pets?${limit}=100&${status}=available` };
  const get = { method: 'GET', path: `${base}/pets/7` };
  const create = { method: 'POST', path: `${base}/pets`, body: JSON.stringify(NEW_PET) };
  const mix = [list20, get, list20, list100, list20, create, list20, get, list100, list20];
  return { 'list 20': [list20], 'list 100': [list100], get: [get], create: [create], mix };
}

const V1 = describeLoads({ base: '/v1' });
const pack = () => write('pets.json', { pets });

/**
 * The servers, the one that the others are compared with first. `command` gives
 * the arguments for node; `start` those for the start, where they differ.
 */
export const SERVERS = [
  { name: 'bare node:http', loads: V1, command: (port) => [file('servers/bare-node.mjs'), port] },
  {
    name: 'bare Express 5',
    loads: V1,
    command: (port) => [file('servers/bare-express.mjs'), port],
    library: 'express',
  },
  {
    name: 'petstore-mock',
    loads: V1,
    command: (port) => [PROGRAM, '--port', port, '--fixtures', pack()],
    start: (port) => [PROGRAM, '--port', port],
    library: file('../dist/index.js'),
    validates: true,
  },
  {
    name: 'petstore-mock in Express',
    loads: V1,
    command: (port) => [file('servers/mounted.mjs'), port, pack()],
    start: (port) => [file('servers/mounted.mjs'), port],
    validates: true,
  },
  {
    name: 'Prism',
    needs: peer('@stoplight/prism-cli/dist/index.js'),
    loads: describeLoads({ base: '' }),
    command: (port) => [
      peer('@stoplight/prism-cli/dist/index.js'),
      'mock',
      '-h',
      '127.0.0.1',
      '-p',
      port,
      prismContract(),
    ],
    library: peer('@stoplight/prism-http/dist/index.js'),
  },
  {
    name: 'Mockoon',
    needs: peer('@mockoon/cli/bin/run.js'),
    loads: describeLoads({ base: '/v1', status: 'status_eq' }),
    command: (port) => [peer('@mockoon/cli/bin/run.js'), 'start', '--data', mockoonData(), '--port', port],
    library: peer('@mockoon/commons-server/dist/cjs/index.js'),
  },
  {
    name: 'json-server',
    needs: peer('json-server/lib/cli/bin.js'),
    loads: describeLoads({ base: '', limit: '_limit' }),
    command: (port) => [peer('json-server/lib/cli/bin.js'), '--host', '127.0.0.1', '--port', port, jsonServerData()],
    library: peer('json-server/lib/server/index.js'),
  },
];

export function isInstalled({ needs }) {
  return needs === undefined || existsSync(needs);
}

/** Prism keeps no state: it always answers with the example of the contract, which gets 20 pets for this. */
function prismContract() {
  const contract = parse(readFileSync(file('../spec/petstore.openapi.yaml'), 'utf8'));
  const { content } = contract.paths['/pets'].get.responses['200'];
  content['application/json'] = { schema: content['application/json'].schema, example: pets.slice(0, 20) };
  return write('prism.json', contract);
}

/** One CRUD route over a data bucket; the rest are the defaults of an environment. */
function mockoonData() {
  return write('mockoon.json', {
    uuid: 'a0000000-0000-4000-8000-000000000000',
    lastMigration: 33,
    name: 'petstore',
    endpointPrefix: 'v1',
    latency: 0,
    port: 3000,
    hostname: '127.0.0.1',
    folders: [],
    routes: [
      {
        uuid: 'a0000000-0000-4000-8000-000000000001',
        type: 'crud',
        documentation: '',
        method: '',
        endpoint: 'pets',
        responses: [
          {
            uuid: 'a0000000-0000-4000-8000-000000000002',
            body: '{}',
            latency: 0,
            statusCode: 200,
            label: '',
            headers: [],
            bodyType: 'DATABUCKET',
            filePath: '',
            databucketID: 'pets',
            sendFileAsBody: false,
            rules: [],
            rulesOperator: 'OR',
            disableTemplating: false,
            fallbackTo404: false,
            default: true,
            crudKey: 'id',
            callbacks: [],
          },
        ],
        responseMode: null,
        streamingMode: null,
        streamingInterval: 0,
      },
    ],
    rootChildren: [{ type: 'route', uuid: 'a0000000-0000-4000-8000-000000000001' }],
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
    cors: true,
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [
      {
        uuid: 'a0000000-0000-4000-8000-000000000003',
        id: 'pets',
        name: 'pets',
        documentation: '',
        value: JSON.stringify(pets),
      },
    ],
    callbacks: [],
  });
}

function jsonServerData() {
  return write('json-server.json', { pets: pets });
}

/** Where peers may leave what they like, such as Mockoon its log. */
export const HOME = folder;
