import { printExact } from '../exact-json.js';
import type { FormParameter } from './model.js';

/** How a parameter is written: a part of the path, pairs of the query or of cookies, or the text of a header field. */
export type WrittenParameter = { text: string } | { pairs: [name: string, value: string][] };

/** A list has one value per line, an object one `name=value`; what a field begins with is written so too. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(toText).join('\n');
  if (typeof value !== 'object') return printExact(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}=${toText(each)}`)
    .join('\n');
}

/** What the field of a parameter begins with, or shows as an example. */
export function beginText({ example, choices, style }: FormParameter): string {
  const value = example ?? choices[0];
  return style === 'json' && value !== undefined ? printExact(value) : toText(value);
}

export function takesLines({ types, style }: Pick<FormParameter, 'types' | 'style'>): boolean {
  return style !== 'json' && (types.includes('array') || types.includes('object'));
}

/** Writes the text of a field as OpenAPI says for its style (OpenAPI 3.1.1, Style Values). */
export function writeParameter(parameter: FormParameter, text: string): WrittenParameter {
  const { in: place, name, types, style } = parameter;
  const encode = place === 'header' ? (each: string): string => each : encodeURIComponent;
  const lines = text.split('\n').filter((line) => line !== '');
  if (!takesLines(parameter)) return inPlace(parameter, encode(text));
  const isList = types.includes('array') && !(types.includes('object') && lines.every((line) => line.includes('=')));
  const members = lines.map((line): [string, string] => {
    const [key = '', ...rest] = line.split('=');
    return [encode(key), encode(rest.join('='))];
  });
  const items = lines.map((line) => encode(line));
  if (place === 'path' || place === 'header')
    return { text: isList ? writeItems(parameter, items) : writeMembers(parameter, members) };
  if (!isList && style === 'deepObject')
    return { pairs: members.map(([key, value]) => [`${encodeURIComponent(name)}[${key}]`, value]) };
  return { pairs: isList ? pairItems(parameter, items) : pairMembers(parameter, members) };
}

/** One value. */
function inPlace({ in: place, name, style }: FormParameter, value: string): WrittenParameter {
  if (place === 'query' || place === 'cookie') return { pairs: [[encodeURIComponent(name), value]] };
  if (place === 'header') return { text: value };
  const before: Record<string, string> = { label: '.', matrix: `;${encodeURIComponent(name)}=` };
  return { text: `${before[style] ?? ''}${value}` };
}

function writeItems({ name, style, explode }: FormParameter, items: string[]): string {
  if (style === 'label') return `.${items.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return items.join(',');
  const at = `;${encodeURIComponent(name)}=`;
  return explode ? items.map((item) => `${at}${item}`).join('') : `${at}${items.join(',')}`;
}

function writeMembers({ name, style, explode }: FormParameter, members: [string, string][]): string {
  const flat = members.flat().join(',');
  const pairs = members.map(([key, value]) => `${key}=${value}`);
  if (style === 'label') return `.${explode ? pairs.join('.') : flat}`;
  if (style === 'matrix')
    return explode ? pairs.map((pair) => `;${pair}`).join('') : `;${encodeURIComponent(name)}=${flat}`;
  return explode ? pairs.join(',') : flat;
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

function pairItems({ name, style, explode }: FormParameter, items: string[]): [string, string][] {
  const at = encodeURIComponent(name);
  return explode ? items.map((item) => [at, item]) : [[at, items.join(SEPARATORS[style] ?? ',')]];
}

function pairMembers({ name, style, explode }: FormParameter, members: [string, string][]): [string, string][] {
  return explode ? members : [[encodeURIComponent(name), members.flat().join(SEPARATORS[style] ?? ',')]];
}
