import { printJson } from '../../contract/document/json.js';
import type { Parameter } from '../../contract/model.js';

type Pair = readonly [name: string, value: string];

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** A query parameter as `name=value`, encoded (OpenAPI 3.1.1, Style Values). */
export function writeQuery(parameter: Parameter, value: unknown): string[] {
  return listPairs(parameter, value).map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
}

/** A value in a path or a header field, not yet encoded. */
export function writeSimple({ name, style, explode }: Parameter, value: unknown): string {
  const text = Array.isArray(value) ? value.map(printPlain).join(',') : printPlain(value);
  if (style === 'label') return `.${text}`;
  return style === 'matrix' ? `;${name}=${explode ? text.replaceAll(',', `;${name}=`) : text}` : text;
}

function listPairs({ name, style, explode }: Parameter, value: unknown): Pair[] {
  if (value === null || typeof value !== 'object' || style === 'json') return [[name, printPlain(value)]];
  if (style === 'deepObject') return Object.entries(value).flatMap(([key, each]) => nest(`${name}[${key}]`, each));
  if (Array.isArray(value)) {
    const texts = value.map(printPlain);
    return explode ? texts.map((text) => [name, text]) : [[name, texts.join(SEPARATORS[style] ?? ',')]];
  }
  const members = Object.entries(value).map(([key, each]): Pair => [key, printPlain(each)]);
  return explode ? members : [[name, members.flat().join(',')]];
}

function nest(name: string, value: unknown): Pair[] {
  if (value === null || typeof value !== 'object') return [[name, printPlain(value)]];
  const members: [string, unknown][] = Array.isArray(value)
    ? value.map((each) => [`${name}[]`, each])
    : Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each]);
  return members.flatMap(([key, each]) => nest(key, each));
}

function printPlain(value: unknown): string {
  return typeof value === 'string' ? value : printJson(value ?? null);
}
