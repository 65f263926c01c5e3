import { asText } from '../document/plain.js';
import type { SchemaObject } from '../model.js';
import { createContractPattern } from '../schemas/patterns/pattern.js';
import { samplePattern, samplePatternApart, type TextBounds } from './sample-pattern.js';

export interface TextOptions {
  /** Which of several possible texts to make. */
  index: number;
  /** Set if the text must differ from others: the number that makes the difference. */
  variant: number | undefined;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now: number;
  /** Whether there must be as many texts as the patterns allow. */
  isKey: boolean;
  /** The longest text for which there is room. */
  room: number;
}

const FORMATS: Readonly<Record<string, (now: string, mark: string) => string>> = {
  'date-time': (now) => now,
  date: (now) => now.slice(0, 10),
  time: (now) => now.slice(11),
  'google-datetime': (now) => now,
  'google-duration': () => '1s',
  duration: (_, mark) => `P${mark === '' ? '1' : Number(mark) + 1}D`,
  byte: (_, mark) => Buffer.from(`string${mark}`).toString('base64'),
  email: (_, mark) => `rex${mark}@example.com`,
  'idn-email': (_, mark) => `rex${mark}@example.com`,
  hostname: (_, mark) => `example${mark}.com`,
  'idn-hostname': (_, mark) => `example${mark}.com`,
  ipv4: (_, mark) => `192.0.2.${(Number(mark) % 250) + 1}`,
  ipv6: (_, mark) => `2001:db8::${(Number(mark) % 9000) + 1}`,
  uri: (_, mark) => `https://example.com/${mark}`,
  url: (_, mark) => `https://example.com/${mark}`,
  iri: (_, mark) => `https://example.com/${mark}`,
  'uri-reference': (_, mark) => `/${mark}`,
  'iri-reference': (_, mark) => `/${mark}`,
  'uri-template': (_, mark) => `/${mark}`,
  'json-pointer': (_, mark) => `/${mark}`,
  'relative-json-pointer': (_, mark) => (mark === '' ? '0' : mark),
  regex: () => '.*',
  uuid: (_, mark) => `123e4567-e89b-42d3-a456-${mark === '' ? '426614174000' : mark.padStart(12, '0')}`,
};

/** Whether a text is one that the sampler makes of nothing, and names nothing that there is. */
export function isSampledUuid(value: unknown): boolean {
  return typeof value === 'string' && /^123e4567-e89b-42d3-a456-\d{12}$/.test(value);
}

const DAY_MS = 86_400_000;

/** A text that conforms to format, pattern and bounds. */
export function sampleText(schema: SchemaObject, patterns: readonly string[], options: TextOptions): string {
  const bounds: TextBounds = {
    least: Math.min(Number(schema['minLength'] ?? 0), options.room),
    most: Number(schema['maxLength'] ?? Infinity),
  };
  const tests = patterns.map((pattern) => createContractPattern(pattern, 'u'));
  const fits = (text: string): boolean =>
    text.length >= bounds.least && text.length <= bounds.most && tests.every((each) => each.test(text));
  const format = asText(schema['format']) ?? '';
  const ofFormat = sampleFormat(format, options);
  const written = ofFormat === undefined ? undefined : listWritings(ofFormat, format).find(fits);
  if (written !== undefined) return written;
  const index = options.variant ?? options.index;
  for (const pattern of patterns) {
    const text = (options.isKey ? samplePatternApart : samplePattern)(pattern, index, bounds);
    if (text !== undefined && fits(text)) return text;
  }
  if (ofFormat !== undefined && patterns.length === 0) return stretch(ofFormat, schema, bounds);
  const word = options.variant === undefined ? 'string' : `${options.variant}string`;
  return word.padEnd(bounds.least, 'g').slice(0, bounds.most);
}

function sampleFormat(format: string, { variant, now }: TextOptions): string | undefined {
  const time = new Date(now + (variant ?? 0) * DAY_MS).toISOString();
  return Object.hasOwn(FORMATS, format)
    ? FORMATS[format]?.(time, variant === undefined ? '' : String(variant))
    : undefined;
}

/** A time can be written in several lengths (RFC 3339 section 5.6). */
function listWritings(text: string, format: string): string[] {
  if (format !== 'date-time') return [text];
  const plain = text.replace(/\.\d+Z$/, 'Z');
  return [text, plain, plain.replace('Z', '+00:00'), text.replace('Z', '+00:00')];
}

/** Base64 and addresses can have any required length. */
function stretch(text: string, { format }: SchemaObject, { least }: TextBounds): string {
  if (text.length >= least) return text;
  if (format === 'byte') return 'A'.repeat(Math.ceil(least / 4) * 4);
  return format === 'uri' || format === 'url' ? text.padEnd(least, 'g') : text;
}
