import type { JSX } from 'preact';
import { printExact } from '../exact-json.js';
import { QuietButton } from '../parts/card.js';
import type { KeptCollection, KeptRecord } from '../types.js';
import type { Entry } from './draft.js';
import { choicesOf, showChoice } from './field-input.js';
import type { Field } from './fields.js';
import { showValue } from './select-records.js';

export interface Actions {
  /** The collections that belong to a record. */
  below: readonly KeptCollection[];
  openBelow: (name: string, entry: Entry) => void;
  edit: (entry: Entry) => void;
  remove: (entry: Entry) => void;
  /** The properties that are changed in the table itself, by name. */
  choices: ReadonlyMap<string, Field>;
  /** Gives a property another value, printed as JSON; `''` takes it out. */
  choose: (entry: Entry, name: string, printed: string) => void;
}

interface Props extends Actions {
  /** The key, as text. */
  id: string;
  kept: KeptRecord;
  columns: readonly string[];
  /** The number of the row in the whole table, counted from 1. */
  at: number;
  height: number;
}

const ORIGINS = { fixture: 'fixtures', changed: 'fixtures, changed', client: 'client' } as const;

/** A record on one line, with what can be done to it. */
export function Line(props: Props): JSX.Element {
  const { id, kept, columns, at, height, below, openBelow, edit, remove, choices, choose } = props;
  const { record, origin } = kept;
  return (
    <tr aria-rowindex={at} style={{ height: `${height}px` }}>
      {columns.map((name) => {
        const field = choices.get(name);
        if (field === undefined) return <Cell key={name} value={record[name]} />;
        const set = (printed: string): void => choose(record, name, printed);
        return <ChoiceCell key={name} field={field} label={`${name} of ${id}`} value={record[name]} set={set} />;
      })}
      <td class={`origin is-${origin}`}>{ORIGINS[origin]}</td>
      <td class="cell-actions">
        {below.map((each) => (
          <QuietButton key={each.name} of={`of ${id}`} act={() => openBelow(each.name, record)}>
            {wordOf(each)}
          </QuietButton>
        ))}
        <button type="button" class="quiet" data-edit={id} aria-label={`Edit ${id}`} onClick={() => edit(record)}>
          Edit
        </button>
        <QuietButton of={id} act={() => remove(record)}>
          Remove
        </QuietButton>
      </td>
    </tr>
  );
}

/** The last part of a collection's name. */
export function wordOf({ name }: KeptCollection): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Longer values than that are not put into the page whole; the form has them. */
const MOST_OF_CELL = 500;

/** What does not fit is shown by the title, and by the form. */
function Cell({ value }: { value: unknown }): JSX.Element {
  if (value === undefined) return <td class="unset">–</td>;
  const whole = showValue(value);
  const text = whole.length > MOST_OF_CELL ? `${whole.slice(0, MOST_OF_CELL)}…` : whole;
  return (
    <td class={typeof value === 'string' ? '' : 'number'} title={text}>
      {text}
    </td>
  );
}

interface ChoiceProps {
  field: Field;
  label: string;
  value: unknown;
  set: (printed: string) => void;
}

/** One of a few values, changed where it stands. */
function ChoiceCell({ field, label, value, set }: ChoiceProps): JSX.Element {
  const printed = value === undefined ? '' : printExact(value);
  const choices = choicesOf(field, printed).filter((choice) => choice !== '' || !field.required || printed === '');
  return (
    <td class="choice">
      <select aria-label={label} value={printed} onChange={(event) => set(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice === '' ? '–' : showChoice(choice)}
          </option>
        ))}
      </select>
    </td>
  );
}
