import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../../support/network/listen.js';

/** Where a target puts what it should not tell. */
export const PLACES = [
  ...(['status text', 'header name', 'header value', 'location', 'challenge', 'body text', 'list', 'name'] as const),
  ...(['property', 'nested property', 'nested text', 'status', 'id', 'error message', 'error code'] as const),
  'long body' as const,
];

export type Place = (typeof PLACES)[number];

/** A service like the petstore that puts a text into its answers; JSON escapes in the text are its own. */
export interface LeakyTarget {
  url: string;
  /** What is put, and where, from here on. */
  plant: { text: string; places: ReadonlySet<Place>; padding: number };
  close(): Promise<void>;
}

export async function startLeakyTarget(): Promise<LeakyTarget> {
  const target = { url: '', plant: { text: '', places: new Set<Place>(), padding: 0 } };
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response, target.plant));
  });
  const { port, close } = await listen(server);
  return Object.assign(target, { url: `http://127.0.0.1:${port}/v1`, close });
}

function answer(
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
  plant: LeakyTarget['plant'],
): void {
  const { text, places } = plant;
  const isLeaking = (place: Place): boolean => places.has(place);
  const put = (place: Place, otherwise: string): string => (isLeaking(place) ? text : otherwise);
  const fields: Record<string, string> = { 'Content-Type': 'application/json' };
  if (isLeaking('header name') && /^[\w.~!#$%&'*+^`|-]+$/.test(text)) fields[text] = 'x';
  if (isLeaking('header value')) fields['X-Trace'] = `for ${text}`;
  if (isLeaking('location')) fields['Location'] = `/v1/pets/${text}?key=${text}`;
  fields['WWW-Authenticate'] = `Bearer realm="${put('challenge', 'petstore')}"`;
  const [status, body] = describe(method ?? '', url, headers.authorization !== undefined, put, isLeaking);
  const padded = isLeaking('long body')
    ? `{"x":"${'x'.repeat(plant.padding)}${text}","y":"${'y'.repeat(40_000)}"}`
    : body;
  response.writeHead(status, put('status text', 'Some Status'), fields).end(put('body text', padded));
}

function describe(
  method: string,
  url: string,
  authorized: boolean,
  put: (place: Place, otherwise: string) => string,
  isLeaking: (place: Place) => boolean,
): [number, string] {
  const error = (status: number): [number, string] => [
    status,
    `{"code":"${put('error code', 'wrong')}","message":"${put('error message', 'it is wrong')}","status":${status}}`,
  ];
  if (!authorized) return error(401);
  const more = [
    ...(isLeaking('property') ? [`"${put('property', '')}":1`] : []),
    ...(isLeaking('nested property') ? [`"deep":[{"er":{"${put('nested property', '')}":{"x":[]}}}]`] : []),
    ...(isLeaking('nested text') ? [`"deepest":[[{"x":"${put('nested text', '')}"}]]`] : []),
  ];
  const id = isLeaking('id') ? `"${put('id', '')}"` : '1';
  const start = `{"id":${id},"name":"${put('name', 'Rex')}","categoryId":1,"status":"${put('status', 'sold')}"`;
  const pet = `${[start, ...more].join(',')}}`;
  if (method === 'POST') return [201, pet];
  if (/\/pets\/./.test(url)) return url.endsWith('/1') ? [200, pet] : error(404);
  return [200, isLeaking('list') ? `["${put('list', '')}",${pet}]` : `[${pet}]`];
}
