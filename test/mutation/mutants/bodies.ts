import { gzipSync } from 'node:zlib';
import { isArray, isObject, printJson, type JsonValue } from '../server/exact-json.js';
import { breaking, type Mutant } from './mutant.js';
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
  ...breaking(stated.mediaType, ['json']).by({
    'body-after-bom: a byte order mark precedes the JSON (RFC 8259 section 8.1 forbids it)': changeText(
      always,
      (text) => `\uFEFF${text}`,
    ),
    'body-with-trailing-garbage: a stray 0 follows the JSON': changeText(isSuccess, (text) => `${text}\n0`),
    'body-with-trailing-nul: a NUL byte follows the JSON': changeText(always, (text) => `${text}\0`),
    'body-twice: the JSON is sent twice in one body': changeText(always, (text) => text + text),
    'body-after-warning: a warning of the runtime precedes the JSON of lists': changeText(
      isList,
      (text) => `<br />\n<b>Warning</b>: Undefined index in <b>pets.php</b><br />\n${text}`,
    ),
    'body-after-guard: an anti-hijacking prefix precedes the JSON': changeText(isSuccess, (text) => `)]}',\n${text}`),
    'body-as-jsonp: lists are wrapped in a callback': changeText(isList, (text) => `callback(${text});`),
    'body-with-single-quotes: strings are in single quotes': changeText(isSuccess, (text) => text.replaceAll('"', "'")),
    'body-with-trailing-comma: lists end in a comma': changeText(isList, (text) => text.replace(/\]$/, ',]')),
    'body-with-nan: categories are NaN': changeText(isList, (text) =>
      text.replace(/"categoryId":\d+/g, '"categoryId":NaN'),
    ),
    'body-latin1: bodies are encoded as Latin-1': changeBytes(isSuccess, (bytes) =>
      Buffer.from(bytes.toString(), 'latin1'),
    ),
    'body-utf16: bodies are encoded as UTF-16': changeBytes(isSuccess, (bytes) =>
      Buffer.from(bytes.toString(), 'utf16le'),
    ),
    'body-gzip-unlabelled: lists are gzipped without Content-Encoding': changeBytes(isList, (bytes) => gzipSync(bytes)),
    'body-cut: lists lack their last byte, and Content-Length agrees': changeBytes(isList, (bytes) =>
      bytes.subarray(0, -1),
    ),
    'body-cut-at-4096: bodies end after 4096 bytes (a buffer is full)': changeBytes(isSuccess, (bytes) =>
      bytes.subarray(0, 4096),
    ),
  }),
  ...breaking(stated.mediaType, ['body']).by({
    'body-as-text-of-json: the JSON is a string that contains the JSON': changeText(isSuccess, (text) =>
      JSON.stringify(text),
    ),
  }),
  ...breaking(stated.mediaType, ['record']).by({
    'body-utf8-twice: UTF-8 is encoded as UTF-8 once more': changeText(isSuccess, (text) =>
      Buffer.from(text).toString('latin1'),
    ),
  }),
  ...breaking(stated.mediaType, ['content-type', 'json']).by({
    'body-xml: successes are XML': (base) => ({
      encode: (reply, exchange) => {
        if (!isSuccess(reply, exchange) || reply.json === undefined) return base.encode(reply, exchange);
        const bytes = Buffer.from(printXml(reply.json, 'pets'));
        return { status: reply.status, headers: { ...reply.headers, 'content-type': 'application/xml' }, bytes };
      },
    }),
  }),
} satisfies Record<string, Mutant>;
