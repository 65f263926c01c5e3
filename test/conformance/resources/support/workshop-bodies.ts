// What the workshop reads in a body, by hand.
import type { Item } from '../../../support/network/serve-json.js';

type Has = (change: string) => boolean;

/** The fields of a body, or why there are none. */
export function readSent(bytes: Buffer, contentType: string | undefined, name: string, has: Has): Item | string {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';');
  const takes = TAKEN[name] ?? ['application/json'];
  const isRefused = has('repair-form-refused') && name === 'repairs' && type !== 'application/json';
  if (!takes.includes(type) || isRefused) return `No ${type} here`;
  if (type === 'application/json') return readJson(bytes);
  return gather(type.startsWith('multipart') ? readParts(bytes, contentType ?? '') : readPairs(bytes, has), has);
}

const TAKEN: Readonly<Record<string, readonly string[]>> = {
  customers: ['application/x-www-form-urlencoded'],
  repairs: ['application/json', 'application/x-www-form-urlencoded'],
  designs: ['multipart/form-data'],
};

function readJson(bytes: Buffer): Item | string {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Item) : 'No object';
  } catch {
    return 'Not JSON';
  }
}

type Pair = readonly [name: string, value: string];

function readPairs(bytes: Buffer, has: Has): Pair[] {
  const text = bytes.toString('utf8');
  return [...new URLSearchParams(has('plus-is-plus') ? text.replaceAll('+', '%2B') : text)];
}

function readParts(bytes: Buffer, type: string): Pair[] {
  const boundary = /boundary=(.+)$/.exec(type)?.[1] ?? '';
  const parts = bytes.toString('utf8').split(`--${boundary}`).slice(1, -1);
  return parts.map((part) => {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    return [/ name="([^"]*)"/.exec(head)?.[1] ?? '', rest.join('\r\n\r\n').replace(/\r\n$/, '')];
  });
}

const NUMBERS = new Set(['balance', 'price', 'width']);

function gather(pairs: readonly Pair[], has: Has): Item {
  const item: Item = {};
  for (const [name, value] of pairs) {
    if (value === '' && has('empty-is-absent')) continue;
    const [, inner] = /^metadata\[(.*)\]$/.exec(name) ?? [];
    if (inner !== undefined) {
      if (!has('metadata-lost'))
        item['metadata'] = { ...(item['metadata'] as object), [has('metadata-flat') ? 'key' : inner]: value };
    } else if (name === 'tags' || name === 'colours') {
      const before = has(`${name}-last`) ? [] : ((item[name] as string[] | undefined) ?? []);
      item[name] = [...before, value];
    } else if (name === 'numbers')
      item[name] = has('numbers-cut') ? [toNumber(value.split(',')[0] ?? '')] : value.split(',').map(toNumber);
    else if (name === 'origin') item[name] = has('origin-as-text') ? { town: value } : readJson(Buffer.from(value));
    else if (name === 'active') item[name] = value === 'true' ? true : value === 'false' ? has('false-is-true') : value;
    else if (NUMBERS.has(name)) item[name] = toNumber(value);
    else item[name] = value;
  }
  return item;
}

function toNumber(text: string): number | string {
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
