import { createServer } from 'node:http';
import { listAnimals } from './animals.mjs';

createServer((request, response) => {
  const [path, search] = request.url.split('?');
  if (path !== '/v1/pets') return void response.writeHead(404).end();
  const query = new URLSearchParams(search);
  const text = JSON.stringify(listAnimals(query.get('limit') ?? undefined, query.get('status')));
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}).listen(Number(process.argv[2]), '127.0.0.1');
