import type { Contract } from '../../contract/contract.js';
import { describeNotes } from '../../contract/document/notes.js';
import type { Dropped } from '../../server/moving/move-records.js';
import type { Moved } from '../../server/moving/move-state.js';
import type { Settings } from './settings.js';

/** What cannot change without a restart. */
const OF_THE_START = ['port', 'host', 'admin', 'adminToken', 'cors', 'log', 'drain', 'watch'] as const;

const MOST_NAMED = 3;

/** Sentences: which files are loaded, and how many records are kept. */
export function describeChange(files: readonly string[], { kept, dropped }: Moved): string {
  const created = kept + dropped.length;
  const records = created === 0 ? '' : ` ${kept} of ${created} created records are kept.`;
  return `${files.join(', ')} changed and is loaded.${records}`;
}

interface Change {
  /** The settings with which the mock was started. */
  first: Settings;
  settings: Settings;
  /** The contract served before the change. */
  before: Contract;
  contract: Contract;
}

/** A sentence for each thing that is not as before, or not as the files say. */
export function describeLosses({ dropped, lost }: Moved, { first, settings, before, contract }: Change): string[] {
  const startOnly = OF_THE_START.filter((name) => first[name] !== settings[name]);
  const known = new Set(before.listNotes().map(({ message }) => message));
  const odd = contract.listNotes().filter(({ message }) => !known.has(message));
  return [
    ...limit(dropped.map(describeDropped), 'records are dropped'),
    ...limit(lost.map(endSentence), 'changes'),
    ...limit(describeNotes(odd, Infinity).map(endSentence), 'notes; --check lists them all'),
    ...(startOnly.length === 0 ? [] : [`A change of ${startOnly.join(', ')} takes effect only after a restart.`]),
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
