import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Form, Input, Submit, Write } from '../parts/form.js';
import { SameRequest, marksOfBody, useSending } from './answer.js';
import { fillVariables } from './saved.js';
import { Sides } from './sides.js';
import { BodyEditor } from './body-editor.js';
import { readHeaders, type OperationForm, type Written, isJson, writeBody } from './to-request.js';
import { keptTexts, type TextDraft } from './kept.js';

interface Props {
  /** Under which its draft is kept. */
  name: string;
  /** The exchange from which the mock takes what is not shown. */
  like: number | undefined;
  form: OperationForm | undefined;
}

const EMPTY: TextDraft = { method: 'GET', target: '/', headers: '', body: '' };

/** A request as text: any method, target, header fields and body. */
export function TextForm({ name, like, form }: Props): JSX.Element {
  const [draft, setDraft] = useState(() => keptTexts.get(name) ?? EMPTY);
  const { answered, isSending, send } = useSending();
  const set = (next: Partial<TextDraft>): void => {
    keptTexts.set(name, { ...draft, ...next });
    setDraft({ ...draft, ...next });
  };
  const { written, wrong, mediaType } = read(draft);
  const isOfJson = isJson(mediaType);
  const fields = form?.body?.contents.find((each) => isJson(each.mediaType) && isOfJson)?.fields ?? [];
  return (
    <Sides operationId={form?.operationId} written={written} answered={answered}>
      <Form submit={async () => send(written, like)}>
        <div class="fields-row target">
          <Input label="Method" value={draft.method} set={(method) => set({ method })} required />
          <Input label="Target" value={draft.target} set={(target) => set({ target })} required />
        </div>
        <Write
          label="Header fields, one per line"
          value={draft.headers}
          set={(headers) => set({ headers })}
          rows={Math.min(12, Math.max(3, draft.headers.split('\n').length + 1))}
        />
        {wrong === undefined ? null : (
          <p class="mark">{`A header field must be written Name: value; this line is not: ${wrong}`}</p>
        )}
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

function read(draft: TextDraft): {
  written: Written;
  wrong: string | undefined;
  mediaType: string;
} {
  const [method, target, text, body] = [draft.method, draft.target, draft.headers, draft.body].map((each) =>
    fillVariables(each),
  ) as [string, string, string, string];
  const { headers, wrong } = readHeaders(text);
  const [, mediaType = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return {
    written: { method, target, headers, body: body === '' ? undefined : writeBody(body, mediaType) },
    wrong,
    mediaType,
  };
}
