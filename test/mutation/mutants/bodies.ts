import { gzipSync } from 'node:zlib';
import { isArray, isObject, printJson, type JsonValue } from '../server/exact-json.js';
import type { Mutant } from './mutant.js';
import { changeBytes, changeText, isList, isSuccess } from './planting.js';
import { stated } from './stated.js';

const always = () => true;

function printXml(value: JsonValue, name: string): string {
  if (isArray(value)) return `<${name}>${value.map((item) => printXml(item, 'item')).join('')}</${name}>`;
  if (!isObject(value)) return `<${name}>${typeof value === 'string' ? value : printJson(value)}</${name}>`;
  const members = Object.entries(value).map(([key, member]) => printXml(member ?? null, key));
  return `<${name}>${members.join('')}</${name}>`;
}

/** Mutants in how a body is written: what arrives is not the JSON of the interface. */
export const bodyMutants = {
  'body-after-bom': {
    title: 'a byte order mark precedes the JSON (RFC 8259 section 8.1 forbids it)',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeText(always, (text) => `\uFEFF${text}`),
  },
  'body-with-trailing-garbage': {
    title: 'a stray 0 follows the JSON',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeText(isSuccess, (text) => `${text}\n0`),
  },
  'body-with-trailing-nul': {
    title: 'a NUL byte follows the JSON',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeText(always, (text) => `${text}\0`),
  },
  'body-twice': {
    title: 'the JSON is sent twice in one body',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeText(always, (text) => text + text),
  },
  'body-after-warning': {
    title: 'a warning of the runtime precedes the JSON of lists',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeText(isList, (text) => `<br />\n<b>Warning</b>: Undefined index in <b>pets.php</b><br />\n${text}`),
  },
  'body-after-guard': {
    title: 'an anti-hijacking prefix precedes the JSON',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeText(isSuccess, (text) => `)]}',\n${text}`),
  },
  'body-as-jsonp': {
    title: 'lists are wrapped in a callback',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeText(isList, (text) => `callback(${text});`),
  },
  'body-as-text-of-json': {
    title: 'the JSON is a string that contains the JSON',
    breaks: stated.mediaType,
    foundBy: ['body'],
    change: changeText(isSuccess, (text) => JSON.stringify(text)),
  },
  'body-with-single-quotes': {
    title: 'strings are in single quotes',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeText(isSuccess, (text) => text.replaceAll('"', "'")),
  },
  'body-with-trailing-comma': {
    title: 'lists end in a comma',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeText(isList, (text) => text.replace(/\]$/, ',]')),
  },
  'body-with-nan': {
    title: 'categories are NaN',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeText(isList, (text) => text.replace(/"categoryId":\d+/g, '"categoryId":NaN')),
  },
  'body-latin1': {
    title: 'bodies are encoded as Latin-1',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeBytes(isSuccess, (bytes) => Buffer.from(bytes.toString(), 'latin1')),
  },
  'body-utf16': {
    title: 'bodies are encoded as UTF-16',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeBytes(isSuccess, (bytes) => Buffer.from(bytes.toString(), 'utf16le')),
  },
  'body-utf8-twice': {
    title: 'UTF-8 is encoded as UTF-8 once more',
    breaks: stated.mediaType,
    foundBy: ['record'],
    change: changeText(isSuccess, (text) => Buffer.from(text).toString('latin1')),
  },
  'body-gzip-unlabelled': {
    title: 'lists are gzipped without Content-Encoding',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeBytes(isList, (bytes) => gzipSync(bytes)),
  },
  'body-xml': {
    title: 'successes are XML',
    breaks: stated.mediaType,
    foundBy: ['content-type', 'json'],
    change: (base) => ({
      encode: (reply, exchange) => {
        if (!isSuccess(reply, exchange) || reply.json === undefined) return base.encode(reply, exchange);
        const bytes = Buffer.from(printXml(reply.json, 'pets'));
        return { status: reply.status, headers: { ...reply.headers, 'content-type': 'application/xml' }, bytes };
      },
    }),
  },
  'body-cut': {
    title: 'lists lack their last byte, and Content-Length agrees',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeBytes(isList, (bytes) => bytes.subarray(0, -1)),
  },
  'body-cut-at-4096': {
    title: 'bodies end after 4096 bytes (a buffer is full)',
    breaks: stated.mediaType,
    foundBy: ['json'],
    change: changeBytes(isSuccess, (bytes) => bytes.subarray(0, 4096)),
  },
} satisfies Record<string, Mutant>;
