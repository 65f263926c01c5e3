import { createServer } from 'node:http';
import { createPetstore } from './petstore.mjs';

const petstore = createPetstore();

createServer((request, response) => {
  const [path, search] = request.url.split('?');
  if (path === '/v1/pets' && request.method === 'POST') return create(request, response);
  if (path === '/v1/pets') {
    const query = new URLSearchParams(search);
    return send(response, 200, petstore.list(query.get('limit') ?? undefined, query.get('status')));
  }
  const pet = petstore.get(path.slice('/v1/pets/'.length));
  return pet === undefined ? void response.writeHead(404).end() : send(response, 200, pet);
}).listen(Number(process.argv[2]), '127.0.0.1');

function create(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => send(response, 201, petstore.add(JSON.parse(Buffer.concat(chunks).toString()))));
}

function send(response, status, body) {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}
