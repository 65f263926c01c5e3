import { printJson } from '../../contract/document/json.js';
import { writeWholeQuery } from '../../contract/forms/write-form.js';
import type { Parameter } from '../../contract/model.js';
import { separatorOf, type Written } from '../../contract/read-text.js';

type Pair = readonly [name: string, value: string];

/** A query parameter as `name=value`, encoded (OpenAPI 3.1.1, Style Values). */
export function writeQuery(parameter: Parameter, value: unknown): string[] {
  if (parameter.style === 'querystring') return [writeWholeQuery(parameter, value)];
  return listPairs(parameter, value).map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
}

/** A value in a path or a header field, not yet encoded. */
export function writeSimple(parameter: Parameter, value: unknown): string {
  const { name, style, explode } = parameter;
  const text = Array.isArray(value) ? writeList(value, parameter) : printPlain(value);
  if (style === 'label') return `.${text}`;
  return style === 'matrix' ? `;${name}=${explode ? text.replaceAll(',', `;${name}=`) : text}` : text;
}

/** Lists in lists are of Swagger 2.0, each with a separator of its own. */
function writeList(list: readonly unknown[], written: Written): string {
  const shape = written.shape.item ?? { types: [] };
  const texts = list.map((each) => (Array.isArray(each) ? writeList(each, { shape }) : printPlain(each)));
  return texts.join(separatorOf(written));
}

function listPairs(parameter: Parameter, value: unknown): Pair[] {
  const { name, style, explode } = parameter;
  if (value === null || typeof value !== 'object' || style === 'json') return [[name, printPlain(value)]];
  if (style === 'deepObject') return Object.entries(value).flatMap(([key, each]) => nest(`${name}[${key}]`, each));
  if (Array.isArray(value)) {
    return explode ? value.map((each) => [name, printPlain(each)]) : [[name, writeList(value, parameter)]];
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
