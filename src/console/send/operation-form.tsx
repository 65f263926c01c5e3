import { Button } from '../parts/panel.js';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { OnPurpose } from '../behaviour/faults.js';
import { CopyButton } from '../parts/copy-button.js';
import { Form, Submit, Check, Choose, HeaderLines, Input, Select, Marks } from '../parts/form.js';
import { DEFAULT_WORLD, go, link, linkedDraft, replaceAddress, world } from '../state.js';
import { fillVariables } from './saved.js';
import { Sides, SameRequest, useSending, marksOfBody, marksOfField, type Answered } from './answer.js';
import { keptForms, keptTexts, surroundings, BodyEditor } from './text-form.js';
import * as requests from './to-request.js';

export function OperationForms({ form }: { form: requests.OperationForm }): JSX.Element {
  const { draft, set } = useDraft(form);
  const [isHeld, setHeld] = useState(false);
  const { answered, isSending, send } = useSending();
  const { file, line } = form.contract;
  const problems = findProblems(form, draft);
  const written = requests.toRequest(form, fillDraft(draft), surroundings());
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
  const editAsText = (): void => {
    keptTexts.delete(`text/${form.operationId}`);
    go(`send/text/${encodeURIComponent(form.operationId)}`);
  };
  const held = isHeld ? problems : NO_PROBLEMS;
  const editing = { form, draft, set, problems: held, answered };
  const packed = requests.packDraft(form, draft);
  const address = (): string =>
    new URL(link(pathOf(form), packed === undefined ? {} : { draft: packed }), location.href).href;
  return (
    <Sides operationId={form.operationId} draft={packed ?? '{}'} written={written} answered={answered}>
      <p class="line">
        <b>{form.method}</b> <code>{`${form.base}${form.path}`}</code>{' '}
        {form.deprecated ? <span class="tag">deprecated</span> : null}
      </p>
      {form.summary === undefined ? null : <p>{form.summary}</p>}
      <p class="hint">{`${file}${line === undefined ? '' : `:${line}`}`}</p>
      <Form submit={submit}>
        <Parameters {...editing} />
        <BodyPart {...editing} />
        <Credentials {...editing} />
        <MoreHeaders {...editing} />
        <p class="line">
          <b>{written.method}</b> <code>{written.target}</code>
          {world.value === DEFAULT_WORLD ? null : <span class="hint"> in the world {world.value}</span>}
        </p>
        <div class="actions">
          <Submit>{isSending ? 'Sending…' : 'Send'}</Submit>
          {held.size === 0 ? null : <Button text="Send anyway" act={sendAnyway} />}
          <Button text="Edit as text" act={editAsText} />
          <Button text="Reset form" act={() => set(requests.beginDraft(form))} />
          <CopyButton label="Copy link" of="to this request" text={address} />
        </div>
        {held.size === 0 ? null : (
          <p class="problem" role="alert">
            {held.size === 1 ? 'One field is' : `${held.size} fields are`} not valid in the contract. Send it anyway to
            see how the mock responds.
          </p>
        )}
      </Form>
      <SameRequest written={written} answered={answered} />
      <OnPurpose operationId={form.operationId} />
    </Sides>
  );
}

function fillDraft(draft: requests.FormDraft): requests.FormDraft {
  const fill = (texts: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fillVariables(text)]));
  const [body, more] = [fillVariables(draft.body), fillVariables(draft.more)];
  return { ...draft, values: fill(draft.values), credentials: fill(draft.credentials), body, more };
}

const pathOf = ({ operationId }: requests.OperationForm): string => `send/${encodeURIComponent(operationId)}`;

/** Browsers let a page change its address some times a second only. */
const ADDRESS_MS = 300;
/** A longer one is not for an address. */
const LONGEST_LINK = 8000;
/** What this page itself has last written into the address. */
let lastWritten: string | undefined;

function useDraft(form: requests.OperationForm): Pick<Editing, 'draft' | 'set'> {
  const linked = linkedDraft.value;
  const [draft, setDraft] = useState(() =>
    linked === undefined
      ? (keptForms.get(form.operationId) ?? requests.beginDraft(form))
      : requests.unpackDraft(form, linked),
  );
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && linked !== undefined && linked !== lastWritten)
      setDraft(requests.unpackDraft(form, linked));
    isFirst.current = false;
  }, [linked]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const set = (next: requests.FormDraft): void => {
    keptForms.set(form.operationId, next);
    setDraft(next);
    clearTimeout(timer.current);
    const from = location.hash;
    timer.current = setTimeout(() => {
      // A link that was followed since keeps its address, also before the event that says so.
      if (location.hash !== from) return;
      const packed = requests.packDraft(form, next);
      lastWritten = packed === undefined || packed.length > LONGEST_LINK ? undefined : packed;
      replaceAddress(pathOf(form), lastWritten);
    }, ADDRESS_MS);
  };
  return { draft, set };
}

type FileProps = {
  label: string;
  file: requests.SentFile | undefined;
  set: (file: requests.SentFile | undefined) => void;
};

function FileInput({ label, file, set }: FileProps): JSX.Element {
  const read = async (given: File | undefined): Promise<void> => {
    if (given === undefined) return set(undefined);
    // A text of Latin-1 letters holds bytes, as `btoa` takes them.
    const bytes = Array.from(new Uint8Array(await given.arrayBuffer()), (byte) => String.fromCodePoint(byte));
    set({ name: given.name, type: given.type, base64: btoa(bytes.join('')) });
  };
  return (
    <div class="field">
      <label>
        {label}
        <input type="file" onChange={({ currentTarget }) => void read(currentTarget.files?.[0])} />
      </label>
      {file === undefined ? null : <p class="hint">{`${file.name} is sent`}</p>}
    </div>
  );
}

function MoreHeaders({ draft, set }: Editing): JSX.Element {
  const more = { text: draft.more, set: (text: string) => set({ ...draft, more: text }) };
  return (
    <details open={draft.more !== ''}>
      <summary>More header fields and cookies</summary>
      <HeaderLines {...more} rows={2} placeholder="Cookie: theme=dark" wrong={requests.readHeaders(draft.more).wrong} />
    </details>
  );
}

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map();

function findProblems(form: requests.OperationForm, draft: requests.FormDraft): Map<string, string> {
  const problems = new Map(requests.listMissing(form, draft).map((name) => [name, 'The contract requires it.']));
  const content = form.body?.contents[draft.content];
  const wrong =
    content !== undefined && requests.isJson(content.mediaType) ? requests.findJsonProblem(draft.body) : undefined;
  if (wrong !== undefined) problems.set('body', wrong);
  return problems;
}

interface Editing {
  form: requests.OperationForm;
  draft: requests.FormDraft;
  set: (draft: requests.FormDraft) => void;
  /** What is missing or cannot be read, by field, once one has tried to send it. */
  problems: ReadonlyMap<string, string>;
  answered: Answered | undefined;
}

const PLACES = { path: 'Path', query: 'Query', header: 'Header fields', cookie: 'Cookies' } as const;

function Parameters(editing: Editing): JSX.Element {
  const places = Object.entries(PLACES).map(([place, title]) => {
    return { title, parameters: editing.form.parameters.filter((each) => each.in === place) };
  });
  return (
    <>
      {places
        .filter(({ parameters }) => parameters.length > 0)
        .map(({ title, parameters }) => (
          <fieldset key={title}>
            <legend>{title}</legend>
            {parameters.map((parameter) => (
              <Field key={parameter.name} parameter={parameter} {...editing} />
            ))}
          </fieldset>
        ))}
    </>
  );
}

function BodyPart({ form: { body }, draft, set, problems, answered }: Editing): JSX.Element | null {
  const content = body?.contents[draft.content];
  if (body === undefined || content === undefined) return null;
  const isOfJson = requests.isJson(content.mediaType);
  const problem = problems.get('body');
  const setFile = (name: string, file: requests.SentFile | undefined): void => {
    const others = Object.entries(draft.files).filter(([each]) => each !== name);
    set({ ...draft, files: Object.fromEntries(file === undefined ? others : [...others, [name, file]]) });
  };
  const choose = (index: string): void =>
    set({ ...draft, files: {}, content: Number(index), body: requests.layOut(body.contents[Number(index)]) });
  return (
    <fieldset>
      <legend>Body</legend>
      {body.description === undefined ? null : <p class="hint">{body.description}</p>}
      {body.contents.length === 1 ? null : (
        <Choose
          label="Media type"
          value={String(draft.content)}
          set={choose}
          options={body.contents.map(
            ({ mediaType }, index) => [String(index), requests.nameMediaType(mediaType)] as const,
          )}
        />
      )}
      <BodyEditor
        label={`Body, ${requests.nameMediaType(content.mediaType)}`}
        text={draft.body}
        set={(text) => set({ ...draft, body: text })}
        fields={isOfJson ? content.fields : []}
        marks={problem === undefined ? marksOfBody(draft.body, answered, isOfJson) : [problem]}
        isRequired={body.required}
      />
      {content.files.map((name) => (
        <FileInput
          key={name}
          label={name === '' ? 'File for the body' : `File for ${name}`}
          file={draft.files[name]}
          set={(file) => setFile(name, file)}
        />
      ))}
    </fieldset>
  );
}

function Credentials({ draft, set }: Editing): JSX.Element | null {
  const names = Object.keys(draft.credentials);
  if (names.length === 0) return null;
  const put = (name: string, value: string): void =>
    set({ ...draft, credentials: { ...draft.credentials, [name]: value } });
  return (
    <fieldset>
      <legend>Credentials</legend>
      <Check label="Send them" on={draft.withCredentials} set={(on) => set({ ...draft, withCredentials: on })} />
      {(draft.withCredentials ? names : []).map((name) => (
        <Input key={name} label={name} value={draft.credentials[name] ?? ''} set={(value) => put(name, value)} />
      ))}
      {Object.values(draft.credentials).some((value) => value.includes('$PETSTORE_API_KEY')) ? (
        <p class="hint">The mock fills in its own key for $PETSTORE_API_KEY; the page never sees it.</p>
      ) : null}
    </fieldset>
  );
}

function Field({ parameter, draft, set, problems, answered }: Editing & { parameter: requests.FormParameter }) {
  const { name, required, deprecated } = parameter;
  const field = requests.nameField(parameter);
  const id = `field-${field}`;
  const problem = problems.get(field);
  const marks = problem === undefined ? marksOfField(parameter, answered) : [problem];
  const put = (value: string): void => set({ ...draft, values: { ...draft.values, [field]: value } });
  const entry = { id, parameter, value: draft.values[field] ?? '', set: put, isWrong: marks.length > 0 };
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code>
        {required ? <span class="needed"> required</span> : null}
        {deprecated ? <span class="tag">deprecated</span> : null}
      </label>
      <Entry {...entry} />
      <div id={`${id}-about`}>
        <p class="hint">{describeParameter(parameter)}</p>
        <Marks of={marks} />
      </div>
    </div>
  );
}

/** What may stand in the field, and what the contract says of it. */
function describeParameter(parameter: requests.FormParameter): string {
  const { types, choices, description = '' } = parameter;
  const isList = types.includes('array');
  const parts = [
    [...new Set(types)].map((type) => (type === 'array' ? 'list' : type)).join(' or '),
    isList && choices.length > 0 ? `of ${choices.map(requests.toText).join(', ')}` : '',
    requests.takesLines(parameter) ? `one ${isList ? 'value' : 'name=value'} per line` : '',
    parameter.style === 'json' ? 'written as JSON' : '',
    description,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

interface EntryProps {
  id: string;
  parameter: requests.FormParameter;
  value: string;
  set: (value: string) => void;
  isWrong: boolean;
}

function Entry({ id, parameter, value, set, isWrong }: EntryProps): JSX.Element {
  const { choices, keys, required } = parameter;
  const common = { id, value, 'aria-describedby': `${id}-about`, 'aria-invalid': isWrong, 'aria-required': required };
  const texts = choices.map(requests.toText).map((text) => [text, text] as const);
  if (!requests.takesLines(parameter) && choices.length > 0)
    return <Select {...common} set={set} options={[['', '– not sent –'], ...texts]} />;
  const rest = { ...common, spellcheck: false, placeholder: requests.textOfParameter(parameter) };
  if (requests.takesLines(parameter)) {
    const rows = Math.min(6, Math.max(2, value.split('\n').length));
    return <textarea {...rest} rows={rows} onInput={(event) => set(event.currentTarget.value)} />;
  }
  const list = keys.length === 0 ? undefined : `${id}-keys`;
  return (
    <>
      <input {...rest} type="text" autocomplete="off" list={list} onInput={(event) => set(event.currentTarget.value)} />
      {list === undefined ? null : (
        <datalist id={list}>
          {keys.map(requests.toText).map((key) => (
            <option key={key} value={key} />
          ))}
        </datalist>
      )}
    </>
  );
}
