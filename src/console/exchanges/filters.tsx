import type { JSX } from 'preact';
import type { Signal } from '@preact/signals';
import { about } from '../state.js';
import { NO_FILTER, type Filter } from './filter.js';

interface Choice {
  name: keyof Filter;
  label: string;
  options: [string, string][];
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

function listChoices(): Choice[] {
  const operations = (about.value?.operations ?? []).map(({ id }): [string, string] => [id, id]);
  return [
    { name: 'method', label: 'Method', options: METHODS.map((each) => [each, each]) },
    {
      name: 'status',
      label: 'Status',
      options: [...['2', '3', '4', '5'].map((each): [string, string] => [each, `${each}xx`]), ['0', 'reset']],
    },
    { name: 'operation', label: 'Operation', options: [...operations, ['-', 'not in the contract']] },
    {
      name: 'verdict',
      label: 'Verdict',
      options: [
        ['ok', 'valid'],
        ['client', 'client at fault'],
        ['mock', 'mock at fault'],
      ],
    },
    {
      name: 'minutes',
      label: 'Time',
      options: [
        ['1', 'last minute'],
        ['5', 'last 5 minutes'],
        ['30', 'last 30 minutes'],
      ],
    },
  ];
}

export function Filters({ filter }: { filter: Signal<Filter> }): JSX.Element {
  const set = (name: keyof Filter, value: string): void => {
    filter.value = { ...filter.value, [name]: value };
  };
  const isSet = Object.values(filter.value).some((value) => value !== '');
  return (
    <form class="filters" role="search" aria-label="Filter exchanges" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        aria-label="Search in paths, reasons, header fields and bodies"
        placeholder="Search everything"
        value={filter.value.text}
        onInput={(event) => set('text', event.currentTarget.value)}
      />
      {listChoices().map(({ name, label, options }) => (
        <select
          key={name}
          aria-label={label}
          value={filter.value[name]}
          class={filter.value[name] === '' ? '' : 'is-set'}
          onChange={(event) => set(name, event.currentTarget.value)}
        >
          <option value="">{label}</option>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      ))}
      {isSet ? (
        <button type="button" class="quiet" onClick={() => (filter.value = NO_FILTER)}>
          Clear the filter
        </button>
      ) : null}
    </form>
  );
}
