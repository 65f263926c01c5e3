import { formatPlace, type SourcePlace } from '../../errors.js';
import type { SourceDocument } from './document.js';

/** An oddity in a document that affects nothing but its own place. */
export interface Note {
  message: string;
  readonly place: SourcePlace;
  times: number;
}

export interface Notes {
  /** `where` is the place, or a JSON Pointer to it. */
  add(where: string | SourcePlace, message: string): void;
  list(): readonly Note[];
}

export function createNotes(document: Pick<SourceDocument, 'placeOf'>): Notes {
  const notes = new Map<string, Note>();
  const places = new Set<string>();
  return {
    add(where, message) {
      // What several operations share is read for each of them.
      const place = `${typeof where === 'string' ? where : formatPlace(where)}\n${message}`;
      if (places.has(place)) return;
      places.add(place);
      const known = notes.get(message);
      if (known !== undefined) known.times += 1;
      else
        notes.set(message, {
          message,
          times: 1,
          // Finding a line takes longer than reading a document, so lines are looked up on demand.
          get place() {
            return typeof where === 'string' ? document.placeOf(where) : where;
          },
        });
    },
    list: () => [...notes.values()],
  };
}

/** Notes for people, with their places; past `most` only their number. */
export function describeNotes(notes: readonly Note[], most: number): string[] {
  const told = notes.slice(0, most).map(({ message, place, times }) => {
    const more = times === 1 ? '' : `, and ${times - 1} more like it`;
    return `${formatPlace(place)}: ${message.replace(/\.$/, '')}${more}`;
  });
  const rest = notes.length - told.length;
  return rest === 0 ? told : [...told, `${rest} more about the document; --check lists them all`];
}
