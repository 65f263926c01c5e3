import type { JSX, TargetedInputEvent } from 'preact';
import { useState } from 'preact/hooks';
import { printExact } from '../exact-json.js';
import { Check } from '../parts/form.js';
import { EMPTY_TEXT } from './draft.js';
import type { Field } from './fields.js';

interface Props {
  field: Field;
  /** Unique on the page. */
  id: string;
  value: string;
  set: (value: string) => void;
  /** Why the value is refused. */
  problem: string | undefined;
  /** Shown, but not to be changed. */
  isLocked: boolean;
  hint: string;
}

/** A property of a record, with what the contract says of it and what the mock says of its value. */
export function FieldInput(props: Props): JSX.Element {
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

type Changed = TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>;

function Control({ field, id, value, set, problem, isLocked, hint }: Props): JSX.Element {
  const described = [problem === undefined ? '' : `${id}-problem`, hint === '' ? '' : `${id}-hint`].join(' ').trim();
  const common = {
    id,
    name: field.name,
    value,
    'aria-invalid': problem !== undefined,
    'aria-required': field.required,
    ...(described === '' ? {} : { 'aria-describedby': described }),
    onInput: (event: Changed) => set(event.currentTarget.value),
  };
  if (isLocked) return <input type="text" readOnly {...common} />;
  if (field.kind === 'choice') {
    return (
      <select {...common}>
        {choicesOf(field, value).map((choice) => (
          <option key={choice} value={choice}>
            {choice === '' ? 'not set' : showChoice(choice)}
          </option>
        ))}
      </select>
    );
  }
  const isLong = field.kind === 'json' || value.length > LONG || value.includes('\n');
  if (isLong)
    return <textarea rows={field.kind === 'json' ? rowsOf(value) : ROWS_OF_TEXT} spellcheck={false} {...common} />;
  return <input type="text" autocomplete="off" inputMode={field.kind === 'number' ? 'decimal' : 'text'} {...common} />;
}

const LONG = 80;
const ROWS_OF_TEXT = 3;
const MOST_ROWS = 10;

function rowsOf(text: string): number {
  return Math.min(MOST_ROWS, Math.max(2, text.split('\n').length));
}

/** What the contract allows, what there is, and nothing. */
export function choicesOf({ choices }: Field, value: string): string[] {
  return [...new Set(['', ...choices.map((each) => printExact(each)), value])];
}

/** A text without its quotes. */
export function showChoice(printed: string): string {
  return printed.startsWith('"') ? String(JSON.parse(printed)) : printed;
}
