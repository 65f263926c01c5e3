import { formatPlace, type SourcePlace } from '../../errors.js';
import type { SourceDocument } from './document.js';

/** Something odd in a document that costs no more than the spot where it stands. */
export interface Note {
  /** What is odd and what is made of it, a sentence. */
  message: string;
  /** Where it was seen first. */
  readonly place: SourcePlace;
  /** How many times it was seen. */
  times: number;
}

/** Collects what is odd in a document; the same thing seen again is counted. */
export interface Notes {
  /** `where` is where it stands: a JSON Pointer, or the place itself. */
  add(where: string | SourcePlace, message: string): void;
  list(): readonly Note[];
}

export function createNotes(document: Pick<SourceDocument, 'placeOf'>): Notes {
  const notes = new Map<string, Note>();
  return {
    add(where, message) {
      const known = notes.get(message);
      if (known !== undefined) known.times += 1;
      else {
        notes.set(message, {
          message,
          times: 1,
          // To find a line takes longer than to read a document, so it is looked for when somebody asks.
          get place() {
            return typeof where === 'string' ? document.placeOf(where) : where;
          },
        });
      }
    },
    list: () => [...notes.values()],
  };
}

/** Notes as a person reads them, with their places; past `most` only how many there are. */
export function describeNotes(notes: readonly Note[], most: number): string[] {
  const told = notes.slice(0, most).map(({ message, place, times }) => {
    const more = times === 1 ? '' : `, and ${times - 1} more like it`;
    return `${formatPlace(place)}: ${message.replace(/\.$/, '')}${more}`;
  });
  const rest = notes.length - told.length;
  return rest === 0 ? told : [...told, `${rest} more about the document; --check lists them all`];
}
