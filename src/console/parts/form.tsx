import type { ComponentChildren, JSX, HTMLAttributes, AriaAttributes, TargetedInputEvent } from 'preact';

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
export const isName = (text: string): boolean => new RegExp(`^${NAME_PATTERN}$`).test(text);

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

export function Choose({ label, ...rest }: ChooseProps): JSX.Element {
  return (
    <label>
      {label}
      <Select {...rest} />
    </label>
  );
}

interface SelectProps extends Pick<HTMLAttributes<HTMLSelectElement>, 'id' | 'class' | keyof AriaAttributes> {
  name?: string;
  disabled?: boolean;
  value: string;
  set: (value: string) => void;
  options: readonly (readonly [string, string])[];
}

export function Select({ set, options, ...rest }: SelectProps): JSX.Element {
  return (
    <select {...rest} onChange={(event) => set(event.currentTarget.value)}>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

type SearchProps = { label: string; placeholder?: string; value: string; set: (value: string) => void };

export function Search({ label, placeholder = label, value, set }: SearchProps): JSX.Element {
  const given = { 'aria-label': label, placeholder, value };
  return <input type="search" {...given} onInput={(event) => set(event.currentTarget.value)} />;
}

/** What is wrong with a value or a part of a message, a line each. */
export function Marks({ of }: { of: readonly string[] }): ComponentChildren {
  return of.map((mark) => (
    <p class="mark" key={mark}>
      {mark}
    </p>
  ));
}

export function Submit({ children }: { children: string }): JSX.Element {
  return (
    <button type="submit" class="primary">
      {children}
    </button>
  );
}

/** A button that takes a file; the same one can be chosen again after it was mended. */
export function FileButton({ accept, choose }: { accept: string; choose: (file: File) => unknown }): JSX.Element {
  const read = (input: HTMLInputElement): void => {
    const [file] = input.files ?? [];
    if (file !== undefined) void choose(file);
    input.value = '';
  };
  return (
    <label class="file-button">
      Import
      <input type="file" class="sr" accept={accept} onChange={({ currentTarget }) => read(currentTarget)} />
    </label>
  );
}

type HeaderProps = {
  text: string;
  set: (text: string) => void;
  rows: number;
  placeholder?: string;
  wrong?: string | undefined;
};

/** Header fields as text; `wrong` is a line that is none. */
export function HeaderLines({ text, wrong, ...rest }: HeaderProps): JSX.Element {
  return (
    <>
      <Write label="Header fields, one per line" value={text} {...rest} />
      {wrong === undefined ? null : (
        <p class="mark">{`A header field must be written Name: value; this line is not: ${wrong}`}</p>
      )}
    </>
  );
}
