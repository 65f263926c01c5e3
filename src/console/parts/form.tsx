import type { ComponentChildren, JSX, TargetedInputEvent } from 'preact';

export function Form({ submit, children }: { submit: () => unknown; children: ComponentChildren }): JSX.Element {
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
    </form>
  );
}

interface InputProps {
  label: string;
  value: string;
  set: (value: string) => void;
  type?: 'text' | 'number';
  required?: boolean;
  min?: number | string;
  max?: number;
  maxLength?: number;
  pattern?: string;
  title?: string;
  placeholder?: string;
}

export function Input({ label, value, set, type = 'text', ...rest }: InputProps): JSX.Element {
  const given = { value, onInput: (event: TargetedInputEvent<HTMLInputElement>) => set(event.currentTarget.value) };
  return (
    <label>
      {label}
      {type === 'number' ? <input type="number" {...rest} {...given} /> : <input type="text" {...rest} {...given} />}
    </label>
  );
}

/** What the name of a world or a snapshot may be. */
export const NAME_RULE = 'Up to 64 letters, digits, dots, dashes and underscores; the first is a letter or a digit.';
const NAME_PATTERN = String.raw`[A-Za-z0-9][A-Za-z0-9._\-]{0,63}`;
export const NAME = { required: true, maxLength: 64, pattern: NAME_PATTERN, title: NAME_RULE };

export function isName(text: string): boolean {
  return new RegExp(`^${NAME_PATTERN}$`).test(text);
}

type WriteProps = { label: string; value: string; set: (value: string) => void; rows: number; placeholder?: string };

export function Write({ label, value, set, ...rest }: WriteProps): JSX.Element {
  return (
    <label>
      {label}
      <textarea spellcheck={false} {...rest} value={value} onInput={(event) => set(event.currentTarget.value)} />
    </label>
  );
}

export function Check({ label, on, set }: { label: string; on: boolean; set: (on: boolean) => void }): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={on} onChange={(event) => set(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

interface ChooseProps {
  label: string;
  value: string;
  set: (value: string) => void;
  options: readonly (readonly [string, string])[];
  disabled?: boolean;
}

export function Choose({ label, value, set, options, disabled = false }: ChooseProps): JSX.Element {
  return (
    <label>
      {label}
      <select value={value} disabled={disabled} onChange={(event) => set(event.currentTarget.value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Submit({ children }: { children: string }): JSX.Element {
  return (
    <button type="submit" class="primary">
      {children}
    </button>
  );
}
