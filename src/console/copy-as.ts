import { printExact } from './exact-json.js';
import type { FormField, Example } from './types.js';

export interface Copied {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  form?: readonly FormField[] | undefined;
}

/** What a client sets by itself, or what belongs to the connection. */
const OWN_HEADERS = new Set([
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'host',
  'origin',
  'referer',
  'transfer-encoding',
  'user-agent',
]);

const REDACTED = '[redacted]';

/** Takes the place of a key that the mock does not show. */
const KEY_VARIABLE = '$PETSTORE_API_KEY';

type Recorded = { method: string; url: string; request: { headers: Record<string, string>; body?: unknown } };

/** A recorded request. Header fields that it does not show come from `shown`, by name, or are left out. */
export function toCopied(
  { method, url, request }: Recorded,
  origin: string,
  shown: Readonly<Record<string, string>>,
): Copied {
  const known = new Map(Object.entries(shown).map(([name, value]) => [name.toLowerCase(), value]));
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] => {
    if (OWN_HEADERS.has(name) || name.startsWith('sec-') || (name === 'accept' && value === '*/*')) return [];
    const sent = value === REDACTED ? known.get(name) : value;
    return sent === undefined ? [] : [[name, sent]];
  });
  const { body } = request;
  const text = body === undefined || typeof body === 'string' ? body : printExact(body);
  return { method, url: `${origin}${url}`, headers: Object.fromEntries(headers), body: text };
}

export function toCurl({ method, url, headers, body, form }: Copied): string {
  const isPlain = (method === 'GET' && body === undefined) || (method === 'POST' && body !== undefined);
  return [
    'curl',
    ...(isPlain ? [] : method === 'HEAD' ? ['--head'] : ['-X', quote(method)]),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', quote(`${name}: ${value}`)]),
    ...(form === undefined && body !== undefined ? ['--data-raw', quote(body)] : []),
    ...(form ?? []).flatMap(({ flag, field }) => [flag, quote(field)]),
    quote(url),
  ].join(' ');
}

/** A word for a POSIX shell. A variable stays a variable, in double quotes. */
function quote(text: string): string {
  if (/^[\w./:-]+$/.test(text)) return text;
  const parts = text.split(KEY_VARIABLE).map((part) => (part === '' ? '' : `'${part.replaceAll("'", `'\\''`)}'`));
  return parts.join(`"${KEY_VARIABLE}"`);
}

export function toFetch(copied: Copied): string {
  const { form } = copied;
  if (form !== undefined) {
    const fields = form.map(({ name, value }) => `form.append(${writeText(name)}, ${writeText(value)});\n`);
    const sent = `const response = await fetch(${writeText(copied.url)}${writeInit(copied, '')});`;
    return `const form = new FormData();\n${fields.join('')}${sent}\nconsole.log(response.status, await response.json());`;
  }
  return `const response = await fetch(${writeText(copied.url)}${writeInit(copied, '')});\nconsole.log(response.status, await response.json());`;
}

interface Expected {
  status: number;
  operationId: string | undefined;
  /** The part of a path that `petstore.url` already has. */
  base: string;
  isClientAtFault: boolean;
}

export function toVitest(copied: Copied, { status, operationId, base, isClientAtFault }: Expected): string {
  const { pathname, search } = new URL(copied.url);
  const path = `${pathname.startsWith(base) ? pathname.slice(base.length) : pathname}${search}`;
  const name = writeText(`${operationId ?? `${copied.method} ${pathname}`} returns ${status}`);
  return [
    "import { expect } from 'vitest';",
    "import { test } from 'petstore-mock/vitest';",
    '',
    `test(${name}, async ({ petstore }) => {`,
    ...(isClientAtFault ? [`  petstore.allowViolations({ status: ${status} });`] : []),
    `  const response = await fetch(petstore.url + ${writeText(path)}${writeInit(copied, '  ')});`,
    `  expect(response.status).toBe(${status});`,
    '});',
    '',
  ].join('\n');
}

function writeInit({ method, headers, body, form }: Copied, indent: string): string {
  const fields = Object.entries(headers).map(([name, value]) => {
    if (!value.includes(KEY_VARIABLE)) return `${writeText(name)}: ${writeText(value)}`;
    const filled = value.replaceAll('`', '\\`').replace(KEY_VARIABLE, '${process.env.PETSTORE_API_KEY}');
    return `${writeText(name)}: \`${filled}\``;
  });
  const lines = [
    ...(method === 'GET' ? [] : [`method: ${writeText(method)},`]),
    ...(fields.length === 0 ? [] : [`headers: { ${fields.join(', ')} },`]),
    ...(form !== undefined ? ['body: form,'] : body === undefined ? [] : [`body: ${writeText(body)},`]),
  ];
  if (lines.length === 0) return '';
  return `, {\n${lines.map((line) => `${indent}  ${line}\n`).join('')}${indent}}`;
}

/** A JavaScript string in single quotes, with everything escaped that could end a line or a script. */
export function writeText(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
    .replaceAll('</', String.raw`<\/`);
  return `'${inner}'`;
}

export function copyExample(method: string, example: Example, api: string): Copied {
  const headers: Record<string, string> = {
    ...example.headers,
    // A client that writes a form in parts chooses the boundary between them.
    ...(example.mediaType === undefined || example.form !== undefined ? {} : { 'Content-Type': example.mediaType }),
  };
  return { method, url: `${api}${example.path}`, headers, body: example.body, form: example.form };
}
