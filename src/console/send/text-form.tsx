import type { JSX } from 'preact';
import { useState, useRef } from 'preact/hooks';
import { Form, HeaderLines, Input, Submit, Marks } from '../parts/form.js';
import { SameRequest, marksOfBody, useSending, Sides } from './answer.js';
import { fillVariables } from './saved.js';
import * as requests from './to-request.js';
import { toCopied } from '../copy-as.js';
import { printExact } from '../exact-json.js';
import { about, DEFAULT_WORLD, world } from '../state.js';
import type { Exchange } from '../types.js';
import { suggest, type Suggestion } from './suggest.js';

type Props = { name: string; like: number | undefined; form: requests.OperationForm | undefined };

const EMPTY: TextDraft = { method: 'GET', target: '/', headers: '', body: '' };

export function TextForm({ name, like, form }: Props): JSX.Element {
  const [draft, setDraft] = useState(() => keptTexts.get(name) ?? EMPTY);
  const { answered, isSending, send } = useSending();
  const set = (next: Partial<TextDraft>): void => {
    keptTexts.set(name, { ...draft, ...next });
    setDraft({ ...draft, ...next });
  };
  const { written, wrong, mediaType } = read(draft);
  const isOfJson = requests.isJson(mediaType);
  const fields = form?.body?.contents.find((each) => requests.isJson(each.mediaType) && isOfJson)?.fields ?? [];
  return (
    <Sides operationId={form?.operationId} written={written} answered={answered}>
      <Form submit={async () => send(written, like)}>
        <div class="fields-row target">
          <Input label="Method" value={draft.method} set={(method) => set({ method })} required />
          <Input label="Target" value={draft.target} set={(target) => set({ target })} required />
        </div>
        <HeaderLines
          text={draft.headers}
          set={(headers) => set({ headers })}
          rows={Math.min(12, Math.max(3, draft.headers.split('\n').length + 1))}
          wrong={wrong}
        />
        {draft.headers.includes('[redacted]') && like !== undefined ? (
          <p class="hint">The mock fills in what is [redacted] from the exchange.</p>
        ) : null}
        <BodyEditor
          label="Body"
          text={draft.body}
          set={(body) => set({ body })}
          fields={fields}
          marks={marksOfBody(draft.body, answered, isOfJson)}
          isRequired={false}
        />
        <div class="actions">
          <Submit>{isSending ? 'Sending…' : 'Send'}</Submit>
        </div>
      </Form>
      <SameRequest written={written} answered={answered} />
    </Sides>
  );
}

function read(draft: TextDraft): { written: requests.Written; wrong: string | undefined; mediaType: string } {
  const [method, target, text, body] = [draft.method, draft.target, draft.headers, draft.body].map((each) =>
    fillVariables(each),
  ) as [string, string, string, string];
  const { headers, wrong } = requests.readHeaders(text);
  const [, mediaType = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const sent = body === '' ? undefined : requests.writeBody(body, mediaType);
  return { written: { method, target, headers, body: sent }, wrong, mediaType };
}

type TextDraft = { method: string; target: string; headers: string; body: string };

/** What was written stays while one looks at something else. */
export const keptForms = new Map<string, requests.FormDraft>();
export const keptTexts = new Map<string, TextDraft>();

export function surroundings(): requests.Surroundings {
  const { mountPath = '' } = about.value ?? {};
  return { mountPath, world: world.value === DEFAULT_WORLD ? undefined : world.value };
}

const REDACTED = '[redacted]';

export function beginText(
  exchange: Exchange | undefined,
  form?: requests.OperationForm,
  draft?: requests.FormDraft,
): TextDraft {
  if (exchange !== undefined) return fromExchange(exchange);
  if (form === undefined) return { method: 'GET', target: '/', headers: '', body: '' };
  const begun = draft ?? requests.beginDraft(form);
  const { method, target, headers, body = '' } = requests.toRequest(form, begun, surroundings());
  return { method, target, headers: requests.printHeaders(headers), body };
}

function fromExchange(exchange: Exchange): TextDraft {
  const secret = Object.entries(exchange.request.headers).filter(([, value]) => value === REDACTED);
  const { method, url, headers } = toCopied(exchange, '', Object.fromEntries(secret));
  const { body } = exchange.request;
  const text = body === undefined || typeof body === 'string' ? body : printExact(body, '  ');
  return { method, target: url, headers: requests.printHeaders(headers), body: text ?? '' };
}

interface BodyEditorProps {
  label: string;
  text: string;
  set: (text: string) => void;
  fields: readonly requests.BodyField[];
  marks: readonly string[];
  isRequired: boolean;
}

export function BodyEditor({ label, text, set, fields, marks, isRequired }: BodyEditorProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | undefined>(undefined);
  const look = (): void => setCaret(box.current?.selectionStart);
  const words = caret === undefined ? [] : suggest(text, Math.min(caret, text.length), fields);
  // In the box itself, so that whoever writes on at once writes behind it.
  const take = ({ insert, from, to }: Suggestion): void => {
    const area = box.current;
    if (area === null) return;
    area.setRangeText(insert, from, to, 'end');
    area.focus();
    set(area.value);
    setCaret(area.selectionStart);
  };
  return (
    <div class="field">
      <label for="field-body">
        {label}
        {isRequired ? <span class="needed"> required</span> : null}
      </label>
      <textarea
        id="field-body"
        ref={box}
        rows={Math.min(24, Math.max(5, text.split('\n').length + 1))}
        spellcheck={false}
        value={text}
        aria-describedby="field-body-about"
        aria-invalid={marks.length > 0}
        onInput={(event) => {
          set(event.currentTarget.value);
          look();
        }}
        onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
          if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit();
        }}
        onSelect={look}
        onClick={look}
        onKeyUp={look}
      />
      <div id="field-body-about">
        <Marks of={marks} />
      </div>
      <Suggestions words={words} take={take} />
    </div>
  );
}

function Suggestions({ words, take }: { words: Suggestion[]; take: (word: Suggestion) => void }): JSX.Element | null {
  if (words.length === 0) return null;
  return (
    <ul class="suggestions" aria-label="Values that the contract allows here">
      {words.map((word) => (
        <li key={word.label}>
          <button type="button" onClick={() => take(word)}>
            <code>{word.label}</code>
            {word.about === '' ? null : <span class="hint"> {word.about}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
