import type { JournalEntry } from '../../mock/world/journal.js';
import type { World } from '../../mock/world/world.js';
import { showHeaders } from '../handles/requests.js';
import type { EntryIds } from './entry-ids.js';

/** The exchanges in whose shown text, header fields and bodies included, something stands. */
export function searchEntries(world: World, ids: EntryIds, text: string): number[] {
  const wanted = simplify(text);
  return world.journal
    .entries()
    .filter((entry) => listTexts(entry, world).some((each) => simplify(each).includes(wanted)))
    .map((entry) => ids.of(entry));
}

/** Without the spaces around punctuation, so that JSON is found as it was sent and as it is shown. */
function simplify(text: string): string {
  return text.replaceAll(/\s*([[\]{}:,])\s*/g, '$1').toLowerCase();
}

/** Redacted, so that nobody finds a secret letter by letter. What is sent with escapes is found without them, too. */
function listTexts({ exchange, request, response }: JournalEntry, world: World): string[] {
  const { method, url, reason = '' } = exchange;
  const sent = request.body === undefined ? '' : Buffer.from(request.body).toString('utf8');
  // Of an answer whose connection was reset, the client received nothing.
  const parts = response.transport?.cut === 'reset' ? [] : [response.headers, response.body?.text ?? ''];
  return [`${method} ${url}`, reason, request.headers, sent, ...parts].map((part) => {
    if (typeof part === 'string') return world.redact(part.includes('\\u') ? readEscapes(part) : part);
    const fields = Object.entries(showHeaders(part, world));
    return fields.map(([name, value]) => `${name}: ${value}`).join('\n');
  });
}

function readEscapes(text: string): string {
  return text.replaceAll(/\\u([\da-f]{4})/gi, (_all, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** The exchanges with these numbers, as a page names them: `3-17,20`. Those that have left the journal are left out. */
export function pickEntries(world: World, ids: EntryIds, ranges: string): JournalEntry[] {
  const wanted = ranges.split(',').map((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return { from: from ?? NaN, to: to ?? NaN };
  });
  return world.journal.entries().filter((entry) => {
    const id = ids.of(entry);
    return wanted.some(({ from, to }) => id >= from && id <= to);
  });
}
