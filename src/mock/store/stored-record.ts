import { printJson } from '../../contract/document/json.js';

/** What a record holds, by the names of its properties. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * A record with its JSON text, so that a page is joined and not serialised
 * anew. It is frozen, and printed once, when it is first asked for: text and
 * value can never differ, and what nobody lists takes no room.
 */
export class StoredRecord {
  readonly record: Fields;
  #text: string | undefined;

  constructor(record: Fields) {
    this.record = Object.freeze(record);
  }

  get text(): string {
    return (this.#text ??= printJson(this.record));
  }
}
