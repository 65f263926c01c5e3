import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { OnPurpose } from '../behaviour/at-once.js';
import { Form, Submit } from '../parts/form.js';
import { DEFAULT_WORLD, go, world } from '../state.js';
import { Answer, SameRequest } from './answer.js';
import { keptForms, keptTexts, surroundings } from './kept.js';
import type { FormDraft, OperationForm, Written } from './model.js';
import { BodyPart, Credentials, Parameters, type Editing } from './operation-parts.js';
import { useSending } from './sending.js';
import { beginDraft, findJsonProblem, isJson, listMissing, toRequest } from './to-request.js';

/** The form of one operation, and what its last request came to. */
export function OperationForms({ form }: { form: OperationForm }): JSX.Element {
  const { draft, set } = useDraft(form);
  const [isHeld, setHeld] = useState(false);
  const { answered, isSending, send } = useSending();
  const problems = findProblems(form, draft);
  const written = toRequest(form, draft, surroundings());
  const sendAnyway = async (): Promise<void> => {
    setHeld(false);
    await send(written, undefined);
  };
  const submit = async (): Promise<void> => {
    const [first] = problems.keys();
    if (first === undefined) return sendAnyway();
    setHeld(true);
    document.getElementById(`field-${first}`)?.focus();
  };
  const held = isHeld ? problems : NO_PROBLEMS;
  const editing = { form, draft, set, problems: held, answered };
  return (
    <>
      <Head form={form} />
      <Form submit={submit}>
        <Parameters {...editing} />
        <BodyPart {...editing} />
        <Credentials {...editing} />
        <RequestLine written={written} />
        <div class="actions">
          <Submit>{isSending ? 'Sending…' : 'Send'}</Submit>
          {held.size === 0 ? null : (
            <button type="button" onClick={() => void sendAnyway()}>
              Send anyway
            </button>
          )}
          <button type="button" onClick={() => editAsText(form)}>
            Edit as text
          </button>
          <button type="button" onClick={() => set(beginDraft(form))}>
            Reset form
          </button>
        </div>
        <Held problems={held} />
      </Form>
      <SameRequest written={written} answered={answered} />
      <OnPurpose operationId={form.operationId} />
      <Answer answered={answered} />
    </>
  );
}

function RequestLine({ written }: { written: Written }): JSX.Element {
  return (
    <p class="line">
      <b>{written.method}</b> <code>{written.target}</code>
      {world.value === DEFAULT_WORLD ? null : <span class="hint"> in the world {world.value}</span>}
    </p>
  );
}

/** What was written stays while one looks at something else. */
function useDraft(form: OperationForm): Pick<Editing, 'draft' | 'set'> {
  const [draft, setDraft] = useState(() => keptForms.get(form.operationId) ?? beginDraft(form));
  const set = (next: FormDraft): void => {
    keptForms.set(form.operationId, next);
    setDraft(next);
  };
  return { draft, set };
}

function editAsText({ operationId }: OperationForm): void {
  keptTexts.delete(`text/${operationId}`);
  go(`send/text/${encodeURIComponent(operationId)}`);
}

function Held({ problems }: Pick<Editing, 'problems'>): JSX.Element | null {
  if (problems.size === 0) return null;
  return (
    <p class="problem" role="alert">
      {problems.size === 1 ? 'One field is' : `${problems.size} fields are`} not valid in the contract. Send it anyway
      to see how the mock responds.
    </p>
  );
}

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();

function findProblems(form: OperationForm, draft: FormDraft): Map<string, string> {
  const problems = new Map(listMissing(form, draft).map((name) => [name, 'The contract requires it.']));
  const content = form.body?.contents[draft.content];
  const wrong = content !== undefined && isJson(content.mediaType) ? findJsonProblem(draft.body) : undefined;
  if (wrong !== undefined) problems.set('body', wrong);
  return problems;
}

function Head({
  form: { method, base, path, summary, description, deprecated, contract },
}: {
  form: OperationForm;
}): JSX.Element {
  return (
    <>
      <p class="line">
        <b>{method}</b> <code>{`${base}${path}`}</code> {deprecated ? <span class="tag">deprecated</span> : null}
      </p>
      {summary === undefined ? null : <p>{summary}</p>}
      {description === undefined || description === summary ? null : <p class="hint">{description}</p>}
      <p class="hint">
        {contract.file}
        {contract.line === undefined ? '' : `:${contract.line}`}
      </p>
    </>
  );
}
