import type { JSX } from 'preact';
import { printExact } from '../exact-json.js';
import { showChoice } from './field-input.js';
import type { Field } from './fields.js';
import { EVERYTHING, isEverything, NOT_SET, type Selection } from './select-records.js';

interface Props {
  fields: readonly Field[];
  selection: Selection;
  select: (selection: Selection) => void;
  /** How many records are shown, and of how many. */
  shown: number;
  of: number;
}

/** What is looked for among the records: a text in any value, and the values of what can be chosen from. */
export function Toolbar({ fields, selection, select, shown, of }: Props): JSX.Element {
  const { search, filters } = selection;
  const filter = (name: string, value: string): void =>
    select({ ...selection, filters: { ...filters, [name]: value } });
  return (
    <div class="toolbar" role="search" aria-label="Records">
      <input
        type="search"
        aria-label="Search all values"
        placeholder="Search all values"
        value={search}
        onInput={(event) => select({ ...selection, search: event.currentTarget.value })}
      />
      {fields
        .filter(({ kind }) => kind === 'choice')
        .map((field) => (
          <FieldFilter key={field.name} field={field} value={filters[field.name] ?? ''} set={filter} />
        ))}
      {isEverything(selection) ? null : (
        <button type="button" class="quiet" onClick={() => select({ ...EVERYTHING, sort: selection.sort })}>
          Clear
        </button>
      )}
      <span class="hint" role="status">
        {shown === of ? '' : `${shown} of ${of}`}
      </span>
    </div>
  );
}

interface FilterProps {
  field: Field;
  value: string;
  set: (name: string, value: string) => void;
}

function FieldFilter({ field, value, set }: FilterProps): JSX.Element {
  const { name, choices, required } = field;
  return (
    <select
      aria-label={name}
      class={value === '' ? '' : 'is-set'}
      value={value}
      onChange={(event) => set(name, event.currentTarget.value)}
    >
      <option value="">{`Any ${name}`}</option>
      {choices.map((choice) => {
        const printed = printExact(choice);
        return (
          <option key={printed} value={printed}>
            {showChoice(printed)}
          </option>
        );
      })}
      {required ? null : <option value={NOT_SET}>not set</option>}
    </select>
  );
}
