import { printJson } from '../../contract/document/json.js';

/** The values of a record by the names of its properties. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * A record with its JSON text, so that a page is joined and not serialised
 * again. It is frozen, and printed once, on first use: text and
 * value can never differ, and a record that nobody lists takes no room for text.
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
