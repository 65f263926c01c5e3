import type { JSX, TargetedInputEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CallFailed } from '../api.js';
import { parseExact, printExact, messageOf } from '../exact-json.js';
import { Form, Submit, Write, Check, Select } from '../parts/form.js';
import { Problem, QuietButton, Button } from '../parts/panel.js';
import { fromDraft, toDraft, type Draft, type Entry, EMPTY_TEXT, placeProblems, type Problems } from './draft.js';
import type { Field } from './fields.js';

interface Props {
  before: Entry;
  isNew: boolean;
  fields: readonly Field[];
  title: string;
  save: (entry: Entry) => Promise<void>;
  close: () => void;
  remove?: () => void;
}

const NONE: Problems = { byField: {}, general: undefined };

export function Editor({ before, isNew, fields, title, save, close, remove }: Props): JSX.Element {
  const [base, setBase] = useState(before);
  const [draft, setDraft] = useState<Draft>(() => toDraft(before, fields));
  // The record as JSON; `undefined` while it is a form.
  const [text, setText] = useState<string | undefined>(fields.length === 0 ? printExact(before, '  ') : undefined);
  const [problems, setProblems] = useState(NONE);
  const isForm = text === undefined;
  const box = useFocus(isForm, problems);
  const read = (): Entry | undefined => {
    const found = isForm ? fromDraft(draft, base, fields) : readEntry(text);
    if ('entry' in found) return found.entry;
    setProblems({ ...NONE, ...('general' in found ? found : { byField: found.problems }) });
    return undefined;
  };
  const turn = (): void => {
    const entry = read();
    if (entry === undefined) return;
    setProblems(NONE);
    setBase(entry);
    setDraft(toDraft(entry, fields));
    setText(isForm ? printExact(entry, '  ') : undefined);
  };
  const submit = async (): Promise<void> => {
    const entry = read();
    if (entry === undefined) return;
    try {
      await save(entry);
    } catch (error) {
      const failed = error instanceof CallFailed ? error : new CallFailed(String(error));
      setProblems(placeProblems(failed, isForm ? fields : []));
    }
  };
  const showField = (field: Field, index: number): JSX.Element => {
    // Nobody but the form gives a new record what a service assigns, except its key.
    const isLocked = !isNew && (field.readOnly || field.isKey);
    const isGiven = isNew && field.isKey;
    const hints = [field.hint, isLocked ? 'It cannot be changed.' : field.form, isGiven ? GIVEN : ''];
    return (
      <FieldInput
        key={field.name}
        id={`field-${index}`}
        field={isGiven || isLocked ? { ...field, required: false } : field}
        value={draft[field.name] ?? ''}
        set={(value) => setDraft((known) => ({ ...known, [field.name]: value }))}
        problem={problems.byField[field.name]}
        isLocked={isLocked}
        hint={hints.filter((part) => part !== '').join(' ')}
      />
    );
  };
  const leave = (event: KeyboardEvent): void => (event.key === 'Escape' ? close() : undefined);
  return (
    <div class="editor" role="group" aria-label={title} ref={box} onKeyDown={leave}>
      <div class="bar">
        <h3>{title}</h3>
        {fields.length === 0 ? null : <QuietButton text="As JSON" aria-pressed={!isForm} act={turn} />}
      </div>
      <Form submit={submit}>
        <Problem text={problems.general} />
        {isForm ? <div class="form-fields">{fields.map(showField)}</div> : null}
        {isForm ? null : <Write label={isNew ? 'New record' : 'Record'} rows={9} value={text} set={setText} />}
        {isNew || isForm ? null : <p class="hint">A field that you delete, or set to null, is removed.</p>}
        <div class="actions">
          <Submit>Save</Submit>
          <Button text="Cancel" act={close} />
          {remove === undefined ? null : <Button text="Remove this record" act={remove} />}
        </div>
      </Form>
    </div>
  );
}

const GIVEN = 'If empty, the mock generates one.';

/** The first field that can be changed, when the editor opens; the first that is wrong, when the mock refuses one. */
function useFocus(isForm: boolean, problems: Problems): { current: HTMLDivElement | null } {
  const box = useRef<HTMLDivElement>(null);
  const focus = (selector: string): void => box.current?.querySelector<HTMLElement>(selector)?.focus();
  useEffect(() => focus(':is(input, select, textarea):not([readonly])'), [isForm]);
  useEffect(() => {
    if (Object.keys(problems.byField).length > 0) focus('[aria-invalid="true"]');
  }, [problems]);
  return box;
}

function readEntry(text: string): { entry: Entry } | { general: string } {
  try {
    const value = parseExact(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { entry: value as Entry };
    return { general: 'A record is a JSON object.' };
  } catch (error) {
    return { general: `This is not JSON: ${messageOf(error)}` };
  }
}

interface FieldInputProps {
  field: Field;
  id: string;
  value: string;
  set: (value: string) => void;
  problem: string | undefined;
  isLocked: boolean;
  hint: string;
}

function FieldInput(props: FieldInputProps): JSX.Element {
  const { field, id, value, set, problem, isLocked, hint } = props;
  const [wasFilled, setFilled] = useState(false);
  if (value !== '' && !wasFilled) setFilled(true);
  const isEmptied = field.kind === 'text' && !isLocked && wasFilled && (value === '' || value === EMPTY_TEXT);
  return (
    <div class={problem === undefined ? 'field' : 'field is-wrong'}>
      <label for={id}>
        {field.name}
        {field.required ? <span class="hint"> required</span> : null}
      </label>
      <Control {...props} value={value === EMPTY_TEXT ? '' : value} />
      {isEmptied ? (
        <Check label="Send an empty text" on={value === EMPTY_TEXT} set={(on) => set(on ? EMPTY_TEXT : '')} />
      ) : null}
      {problem === undefined ? null : (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint === '' ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type Changed = TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>;

function Control({ field, id, value, set, problem, isLocked, hint }: FieldInputProps): JSX.Element {
  const described = [problem === undefined ? '' : `${id}-problem`, hint === '' ? '' : `${id}-hint`].join(' ').trim();
  const common = {
    id,
    name: field.name,
    value,
    'aria-invalid': problem !== undefined,
    'aria-required': field.required,
    ...(described === '' ? {} : { 'aria-describedby': described }),
  };
  const onInput = (event: Changed): void => set(event.currentTarget.value);
  if (isLocked) return <input type="text" readOnly {...common} />;
  if (field.kind === 'choice') return <Select {...common} set={set} options={choicesOf(field, value, 'not set')} />;
  if (field.kind !== 'json' && value.length <= LONG && !value.includes('\n')) {
    const inputMode = field.kind === 'number' ? 'decimal' : 'text';
    return <input type="text" autocomplete="off" inputMode={inputMode} {...common} onInput={onInput} />;
  }
  const lines = Math.min(MOST_ROWS, Math.max(2, value.split('\n').length));
  const rows = field.kind === 'json' ? lines : ROWS_OF_TEXT;
  return <textarea rows={rows} spellcheck={false} {...common} onInput={onInput} />;
}

const LONG = 80;
const ROWS_OF_TEXT = 3;
const MOST_ROWS = 10;

/** What the contract allows, what there is, and nothing: as JSON, and as text. */
export function choicesOf({ choices }: Field, value: string, nothing: string): [printed: string, text: string][] {
  const printed = new Set(['', ...choices.map((each) => printExact(each)), value]);
  return [...printed].map((each) => [each, each === '' ? nothing : showChoice(each)]);
}

export const showChoice = (printed: string): string =>
  printed.startsWith('"') ? String(JSON.parse(printed)) : printed;
