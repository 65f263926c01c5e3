import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ADMIN } from '../api.js';
import { FileButton, Form, Input, Submit, Write } from '../parts/form.js';
import { download, Item, QuietButton, Button } from '../parts/panel.js';
import { link, tell } from '../state.js';

type SavedRequest = { name: string; operationId: string; draft: string };

interface Saved {
  requests: readonly SavedRequest[];
  /** One `name=value` per line; `{{name}}` stands for the value. */
  variables: string;
}

const KEY = `petstore-mock-requests${ADMIN}`;
const NONE: Saved = { requests: [], variables: '' };

/** Kept in the browser, for every mock at this address. */
const saved = signal<Saved>(readSaved(readStored()) ?? NONE);

/** A browser may keep nothing. */
function readStored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** What was stored or exported; `undefined` for anything else. */
function readSaved(text: string | null): Saved | undefined {
  try {
    const { requests, variables } = JSON.parse(text ?? 'null') as Partial<Saved>;
    if (!Array.isArray(requests) || typeof variables !== 'string') return undefined;
    const isRequest = (each: Partial<SavedRequest>): boolean =>
      [each.name, each.operationId, each.draft].every((part) => typeof part === 'string');
    return requests.every((each) => isRequest(each as Partial<SavedRequest>)) ? { requests, variables } : undefined;
  } catch {
    return undefined;
  }
}

function keep(next: Saved): void {
  saved.value = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    tell('This browser keeps nothing; export the requests to keep them', true);
  }
}

export function fillVariables(text: string, variables: string = saved.value.variables): string {
  if (!text.includes('{{')) return text;
  const known = new Map(
    variables.split('\n').flatMap((line): [string, string][] => {
      const at = line.indexOf('=');
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
    }),
  );
  return text.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (whole, name: string) => known.get(name) ?? whole);
}

export function SavedRequests({ operationId, draft }: { operationId: string; draft: string }): JSX.Element {
  const [name, setName] = useState('');
  const { requests, variables } = saved.value;
  const save = (): void => {
    const others = requests.filter((each) => each.name !== name);
    keep({ requests: [...others, { name, operationId, draft }], variables });
    tell(`Saved as ${name}`);
    setName('');
  };
  const load = async (file: File): Promise<void> => {
    const read = readSaved(await file.text());
    if (read === undefined) return tell(`${file.name} has no saved requests`, true);
    const names = new Set(read.requests.map((each) => each.name));
    keep({
      requests: [...requests.filter((each) => !names.has(each.name)), ...read.requests],
      variables: read.variables === '' ? variables : read.variables,
    });
    tell(`${read.requests.length} imported`);
  };
  return (
    <>
      <Form submit={save}>
        <div class="fields-row">
          <Input label="Name" value={name} set={setName} required maxLength={100} />
          <Submit>Save this request</Submit>
        </div>
      </Form>
      <ul class="items" aria-label="Saved requests">
        {requests.map((each) => (
          <Item
            key={each.name}
            name={<a href={link(`send/${encodeURIComponent(each.operationId)}`, { draft: each.draft })}>{each.name}</a>}
            about={<span class="hint">{each.operationId}</span>}
          >
            <QuietButton
              text="Remove"
              of={each.name}
              act={() => keep({ requests: requests.filter((one) => one !== each), variables })}
            />
          </Item>
        ))}
      </ul>
      <Write
        label="Variables, one name=value per line; {{name}} in a request stands for the value"
        rows={3}
        value={variables}
        set={(text) => keep({ requests, variables: text })}
      />
      <div class="actions">
        <Button
          text="Export"
          act={() => download('petstore-mock-requests.json', 'application/json', JSON.stringify(saved.value, null, 2))}
        />
        <FileButton accept=".json" choose={load} />
      </div>
      <p class="hint">They are kept in this browser, without credentials.</p>
    </>
  );
}
