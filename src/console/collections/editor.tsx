import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { parseExact, printExact } from '../exact-json.js';
import { Form, Submit } from '../parts/form.js';
import { about, tell } from '../state.js';
import type { Entry } from './record-table.js';

interface Props {
  entry: Entry | 'new';
  /** The operation that creates a record, for its example. */
  create: string | undefined;
  save: (entry: Entry) => Promise<void>;
  close: () => void;
}

/** A record as JSON, to change or to create. */
export function Editor({ entry, create, save, close }: Props): JSX.Element {
  const [text, setText] = useState(() => printExact(entry === 'new' ? newEntry(create) : entry, '  '));
  const box = useRef<HTMLTextAreaElement>(null);
  // The editor is above the records; the record that it was opened for may be far below.
  useEffect(() => box.current?.focus(), []);
  const submit = async (): Promise<void> => {
    const read = readEntry(text);
    if (read !== undefined) await save(read);
  };
  return (
    <div onKeyDown={(event) => (event.key === 'Escape' ? close() : undefined)}>
      <Form submit={submit}>
        <label>
          {entry === 'new' ? 'New record' : 'Record'}
          <textarea
            rows={7}
            spellcheck={false}
            ref={box}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        {entry === 'new' ? null : <p class="hint">A field that you take out, or set to null, is removed.</p>}
        <div class="actions">
          <Submit>Save</Submit>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </Form>
    </div>
  );
}

function readEntry(text: string): Entry | undefined {
  try {
    const value = parseExact(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Entry;
    tell('A record is a JSON object.', true);
  } catch (error) {
    tell(`This is not JSON: ${error instanceof Error ? error.message : String(error)}`, true);
  }
  return undefined;
}

/** The contract's example of a create request. */
function newEntry(create: string | undefined): unknown {
  const example = about.value?.operations.find(({ id }) => id === create)?.example.body;
  return example === undefined ? {} : parseExact(example);
}
