// How soon a change of a file is live under --watch: from the end of the save to the first answer that shows it.
//   node bench/watch.mjs [--rounds 20]
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median, printTable, start } from './processes.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
const rounds = Number(values.rounds);
const program = fileURLToPath(new URL('../dist/cli/petstore-mock.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-watch-'));
const file = (name) => join(folder, name);
const TAKES_TOO_LONG_MS = 5000;

const contract = (title) => `openapi: 3.1.0
info: { title: '${title}', version: '1' }
servers: [{ url: /v1 }]
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        '200':
          description: All.
          content: { application/json: { schema: { type: array, items: { $ref: 'parts/pet.yaml' } } } }
    post:
      operationId: createPet
      requestBody: { required: true, content: { application/json: { schema: { $ref: 'parts/pet.yaml' } } } }
      responses:
        '201':
          description: The pet.
          content: { application/json: { schema: { $ref: 'parts/pet.yaml' } } }
  /pets/{id}:
    get:
      operationId: getPet
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200':
          description: The pet.
          content: { application/json: { schema: { $ref: 'parts/pet.yaml' } } }
  /note:
    get:
      operationId: getNote
      responses:
        '200':
          description: A note.
          content: { application/json: { schema: { $ref: 'parts/note.yaml' } } }
`;
const PET = `type: object
required: [name]
properties: { id: { type: integer, readOnly: true }, name: { $ref: name.yaml } }
`;
const note = (text) => `type: object\nrequired: [text]\nproperties: { text: { const: '${text}' } }\n`;
const pack = (name) => `pets: [{ id: 1, name: '${name}' }]\n`;
const config = (index) => `spec: api.yaml\nfixtures: pack.yaml\nprofile: profile.yaml\nnow: ${2030 + index}-01-01\n`;
const orderOf = (index) => (index % 2 === 0 ? 'oldest-first' : 'newest-first');
const profile = (index) => `# ${index}\ngaps: { list-order: ${orderOf(index)} }\n`;

const titled = (index) => ({ path: '/openapi.json', text: `"title":"T${index}"` });

/** Each way to save, and where what it changes shows. */
const CASES = {
  'contract, written in place': { save: (index) => write('api.yaml', contract(`T${index}`)), shows: titled },
  'contract, replaced by a rename': { save: (index) => replace('api.yaml', contract(`T${index}`)), shows: titled },
  'contract, moved away and written anew': {
    save: (index) => moveAway('api.yaml', contract(`T${index}`)),
    shows: titled,
  },
  'a file that it refers to': {
    save: (index) => write('parts/note.yaml', note(`N${index}`)),
    shows: (index) => ({ path: '/v1/note', text: `N${index}` }),
  },
  'a fixture pack': {
    save: (index) => replace('pack.yaml', pack(`P${index}`)),
    shows: (index) => ({ path: '/v1/pets', text: `P${index}` }),
  },
  'a profile': {
    save: (index) => write('profile.yaml', profile(index)),
    shows: (index) => ({ path: '/__admin/profile', text: orderOf(index) }),
  },
  'the config file': {
    save: (index) => write('mock.yaml', config(index)),
    shows: (index) => ({ path: '/__admin/clock', text: `"now":"${2030 + index}-` }),
  },
};

function write(name, text) {
  writeFileSync(file(name), text);
}

function replace(name, text) {
  write(`${name}.tmp`, text);
  renameSync(file(`${name}.tmp`), file(name));
}

function moveAway(name, text) {
  renameSync(file(name), file(`${name}~`));
  write(name, text);
  rmSync(file(`${name}~`));
}

/** How long until an answer shows it, in milliseconds. */
async function waitFor(origin, { path, text }) {
  const began = performance.now();
  while (performance.now() - began < TAKES_TOO_LONG_MS) {
    const response = await fetch(`${origin}${path}`, { headers: { Authorization: 'Bearer petstore-dev-key' } });
    if ((await response.text()).includes(text)) return performance.now() - began;
    await pause(2);
  }
  return Infinity;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

write('api.yaml', contract('T'));
mkdirSync(file('parts'));
write('parts/pet.yaml', PET);
write('parts/name.yaml', '{ type: string }\n');
write('parts/note.yaml', note('N'));
write('pack.yaml', pack('P'));
write('profile.yaml', profile(1));
write('mock.yaml', config(0));

const args = (port) => [
  program,
  '--config',
  file('mock.yaml'),
  '--watch',
  '--no-prism',
  '--log',
  'silent',
  '--port',
  port,
];
const running = await start('mock', args, { method: 'GET', path: '/v1/pets' });
const rows = [['saved', 'median ms', 'slowest ms']];
let index = 0;
try {
  for (const [name, { save, shows }] of Object.entries(CASES)) {
    const all = [];
    for (let round = 0; round < rounds; round += 1) {
      // At any time between two looks of the mock at its files.
      await pause(150 + 100 * Math.random());
      index += 1;
      save(index);
      all.push(await waitFor(running.origin, shows(index)));
    }
    rows.push([name, median(all).toFixed(0), Math.max(...all).toFixed(0)]);
  }
} finally {
  await running.stop();
  rmSync(folder, { recursive: true });
}
printTable(rows);
