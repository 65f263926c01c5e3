import { parseJson, printJson } from '../document/json.js';
import { asObject, asText } from '../document/plain.js';
import { bareMediaType } from '../media-types.js';

/** How the items of a sequential media type are written (OpenAPI 3.2.0, Sequential Media Types). */
export type SequenceKind = 'lines' | 'records' | 'events';

/** `undefined` for a media type that is no sequence, or one of parts. */
export function findSequenceKind(written: string): SequenceKind | undefined {
  const mediaType = bareMediaType(written);
  if (mediaType === 'text/event-stream') return 'events';
  if (/^application\/(?:.+\+)?json-seq$/.test(mediaType)) return 'records';
  return /^(?:application|text)\/(?:x-)?(?:jsonl|jsonlines|json-lines|ndjson|jsonlines\+json|.+\+jsonl|.+\+ndjson)$/.test(
    mediaType,
  )
    ? 'lines'
    : undefined;
}

/** The items of a text; one that is not JSON is `undefined`. */
export function readSequence(text: string, kind: SequenceKind): unknown[] {
  if (kind === 'events') return text.split(/(?:\r\n|\r|\n){2,}/).flatMap(readEvent);
  // RFC 7464 section 2.2: each text begins with a record separator.
  const texts = text.split(kind === 'records' ? '\u001e' : /\r?\n/).filter((each) => each.trim() !== '');
  return texts.map((each) => {
    const parsed = parseJson(each);
    return parsed.ok ? parsed.value : undefined;
  });
}

/** The fields of an event; lines of comments have none (WHATWG HTML, Server-sent events). */
function readEvent(block: string): object[] {
  const fields: Record<string, unknown> = {};
  for (const line of block.split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') fields[name] = fields[name] === undefined ? value : `${asText(fields[name]) ?? ''}\n${value}`;
    else if (name === 'retry') fields[name] = /^\d+$/.test(value) ? Number(value) : value;
    else if (name === 'event' || name === 'id') fields[name] = value;
  }
  return Object.keys(fields).length === 0 ? [] : [fields];
}

/** A list as the text of a sequence. */
export function writeSequence(items: readonly unknown[], kind: SequenceKind): string {
  if (kind === 'events') return items.map(writeEvent).join('');
  return items.map((item) => (kind === 'records' ? `\u001e${printJson(item)}\n` : `${printJson(item)}\n`)).join('');
}

const OF_EVENTS = ['event', 'id', 'retry', 'data'];

/** What is not an event is the data of one. */
function writeEvent(item: unknown): string {
  const isEvent = Object.keys(asObject(item)).some((name) => OF_EVENTS.includes(name));
  const event = isEvent ? asObject(item) : { data: item };
  const lines = OF_EVENTS.filter((name) => event[name] !== undefined).flatMap((name) =>
    (asText(event[name]) ?? printJson(event[name])).split('\n').map((line) => `${name}: ${line}\n`),
  );
  return `${lines.join('')}\n`;
}
