import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runConformance } from '../../../src/conformance/product/run-conformance.js';
import { integer, object, resource } from './support/odd-resource.js';

interface Habits {
  /** How a number of a record is written. */
  print?: (name: string, value: number) => string;
  /** Whether prices are judged in tenths of a cent. */
  isLax?: boolean;
}

const price = { type: 'number', multipleOf: 0.01, minimum: 0.01, maximum: 100_000 };
const weight = { type: 'number', minimum: 0 };
const sent = object({ price, weight });
const paths = resource('offers', {
  record: object({ id: integer, price, weight, box: { type: ['object', 'null'] } }),
  sent,
});

/** Keeps offers as most programs do, as doubles. */
function serve({ print = (_, value) => String(value), isLax = false }: Habits): Server {
  const offers = [0.07, 28.83, 40.3, 1.1, 4.35].map((each, index) => ({
    id: index + 1,
    price: each,
    weight: each / 3,
  }));
  const write = (offer: (typeof offers)[number]): string =>
    `{"id":${offer.id},"price":${print('price', offer.price)},"weight":${print('weight', offer.weight)},"box":${print('box', 0)}}`;
  const isPrice = (value: unknown): boolean => {
    const scaled = Number(value) * (isLax ? 1000 : 100);
    return typeof value === 'number' && value >= 0.01 && value <= 1e5 && Math.abs(scaled - Math.round(scaled)) < 1e-6;
  };
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = (status: number, text: string): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      };
      const refuse = (status: number): void => answer(status, '{"code":"no","message":"No.","status":"no"}');
      const key = /^\/offers\/(\d+)$/.exec(decodeURI(request.url ?? ''))?.[1];
      const found = offers.find(({ id }) => String(id) === key);
      if (key !== undefined && request.method === 'GET')
        return found === undefined ? refuse(404) : answer(200, write(found));
      if (!/^\/offers(\?|$)/.test(request.url ?? '')) return refuse(404);
      if (request.method === 'GET') return answer(200, `[${offers.map(write).join()}]`);
      if (request.method !== 'POST') return refuse(405);
      if (request.headers['content-type']?.toLowerCase().startsWith('application/json') !== true) return refuse(415);
      const given = readRecord(Buffer.concat(chunks).toString());
      const isWeight = typeof given['weight'] === 'number' && given['weight'] >= 0;
      if (!isPrice(given['price']) || !isWeight) return refuse(400);
      const made = { id: offers.length + 1, price: Number(given['price']), weight: Number(given['weight']) };
      offers.push(made);
      return answer(201, write(made));
    });
  });
}

function readRecord(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** What a run tells of offers that are kept in this way. */
async function judge(habits: Habits): Promise<string[]> {
  const server = serve({
    ...habits,
    print: (name, value) => habits.print?.(name, value) ?? (name === 'box' ? 'null' : String(value)),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'odd-numbers-'));
  const spec = join(folder, 'offers.json');
  writeFileSync(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 'Offers', version: '1' }, paths }));
  try {
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { problems } = await runConformance({ target, apiKey: '', spec, settleMs: 10 });
    return problems.map(({ headline }) => headline);
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

test('prices in cents are no deviation of a multiple of 0.01', async () => {
  expect(await judge({})).toEqual([]);
});

test('a service that takes a tenth of a cent is told so', async () => {
  expect((await judge({ isLax: true })).join('\n')).toMatch(/`price`/);
});

test('a double that is written with more digits than it has is the one that was sent', async () => {
  const print: Habits['print'] = (name, value) =>
    name === 'weight' ? value.toFixed(20) : name === 'box' ? 'null' : String(value);
  expect(await judge({ print })).toEqual([]);
});

test('a number past a double is a number, and no object', async () => {
  const told = await judge({ print: (name, value) => (name === 'box' ? '1e400' : String(value)) });
  expect(told.join('\n')).toMatch(/`box`.*1e400|1e400.*box/);
  expect(told.join('\n')).not.toMatch(/isLossless|digits/);
});
