import type { Contract } from '../../contract/contract.js';
import { describeNotes } from '../../contract/document/notes.js';
import type { Dropped } from '../../server/moving/move-records.js';
import type { Moved } from '../../server/moving/move-state.js';
import type { Settings } from './settings.js';

/** What only a start can change. */
const OF_THE_START = ['port', 'host', 'admin', 'adminToken', 'cors', 'log', 'drain', 'watch'] as const;

const MOST_NAMED = 3;

/** Sentences: which files are loaded, and how many records are kept. */
export function describeChange(files: readonly string[], { kept, dropped }: Moved): string {
  const created = kept + dropped.length;
  const records = created === 0 ? '' : ` ${kept} of ${created} records that clients created are kept.`;
  return `${files.join(', ')} changed and is loaded.${records}`;
}

interface Change {
  /** What the mock was started with. */
  first: Settings;
  settings: Settings;
  /** The contract that was served so far. */
  before: Contract;
  contract: Contract;
}

/** What is not as it was, or not as the files say, a sentence each. */
export function describeLosses({ dropped, lost }: Moved, { first, settings, before, contract }: Change): string[] {
  const startOnly = OF_THE_START.filter((name) => first[name] !== settings[name]);
  const known = new Set(before.listNotes().map(({ message }) => message));
  const odd = contract.listNotes().filter(({ message }) => !known.has(message));
  return [
    ...limit(dropped.map(describeDropped), 'records are dropped'),
    ...limit(lost.map(endSentence), 'things are not as they were'),
    ...limit(describeNotes(odd, Infinity).map(endSentence), 'notes; --check lists them all'),
    ...(startOnly.length === 0 ? [] : [`A change of ${startOnly.join(', ')} needs a new start.`]),
  ];
}

function describeDropped({ record, why }: Dropped): string {
  return `${record} is dropped: ${why}.`;
}

function limit(sentences: readonly string[], others: string): string[] {
  const rest = sentences.length - MOST_NAMED;
  return rest <= 0 ? [...sentences] : [...sentences.slice(0, MOST_NAMED), `${rest} more ${others}.`];
}

function endSentence(text: string): string {
  return `${text}.`;
}
