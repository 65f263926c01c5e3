import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { parseExact, printExact } from '../exact-json.js';
import { Form, Submit } from '../parts/form.js';
import { about, tell } from '../state.js';
import type { Entry } from './record-table.js';

interface Props {
  entry: Entry | 'new';
  save: (entry: Entry) => Promise<void>;
  close: () => void;
}

/** A record as JSON, to be changed or made. */
export function Editor({ entry, save, close }: Props): JSX.Element {
  const [text, setText] = useState(() => printExact(entry === 'new' ? newEntry() : entry, '  '));
  const submit = async (): Promise<void> => {
    const read = readEntry(text);
    if (read !== undefined) await save(read);
  };
  return (
    <div onKeyDown={(event) => (event.key === 'Escape' ? close() : undefined)}>
      <Form submit={submit}>
        <label>
          {entry === 'new' ? 'New record' : 'Record'}
          <textarea rows={7} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
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

/** What the contract gives as an example of a create. */
function newEntry(): unknown {
  const create = about.value?.operations.find(({ method, example }) => method === 'POST' && example.body !== undefined);
  return create?.example.body === undefined ? {} : parseExact(create.example.body);
}
