import type { JSX } from 'preact';
import { nameField, type FormParameter } from './model.js';
import { beginText, takesLines, toText } from './write-parameter.js';

interface Props {
  parameter: FormParameter;
  value: string;
  set: (value: string) => void;
  /** What is wrong with it. */
  marks: readonly string[];
}

/** One parameter: its name, what the contract says of it, and its value. */
export function Field({ parameter, value, set, marks }: Props): JSX.Element {
  const { name, required, deprecated } = parameter;
  const id = `field-${nameField(parameter)}`;
  return (
    <div class="field">
      <label for={id}>
        <code>{name}</code>
        {required ? <span class="needed"> required</span> : null}
        {deprecated ? <span class="tag">deprecated</span> : null}
      </label>
      <Entry id={id} parameter={parameter} value={value} set={set} isWrong={marks.length > 0} />
      <div id={`${id}-about`}>
        <p class="hint">{describeParameter(parameter)}</p>
        {marks.map((mark) => (
          <p class="mark" key={mark}>
            {mark}
          </p>
        ))}
      </div>
    </div>
  );
}

/** What may stand in the field, and what the contract says of it. */
function describeParameter(parameter: FormParameter): string {
  const { types, choices, description = '' } = parameter;
  const isList = types.includes('array');
  const parts = [
    [...new Set(types)].map((type) => (type === 'array' ? 'list' : type)).join(' or '),
    isList && choices.length > 0 ? `of ${choices.map(toText).join(', ')}` : '',
    takesLines(parameter) ? `one ${isList ? 'value' : 'name=value'} per line` : '',
    parameter.style === 'json' ? 'written as JSON' : '',
    description,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

interface EntryProps extends Omit<Props, 'marks'> {
  id: string;
  isWrong: boolean;
}

function Entry({ id, parameter, value, set, isWrong }: EntryProps): JSX.Element {
  const { choices, keys, required } = parameter;
  const common = {
    id,
    value,
    'aria-describedby': `${id}-about`,
    'aria-invalid': isWrong,
    'aria-required': required,
  };
  if (!takesLines(parameter) && choices.length > 0) {
    return (
      <select {...common} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">– not sent –</option>
        {choices.map(toText).map((text) => (
          <option key={text} value={text}>
            {text}
          </option>
        ))}
      </select>
    );
  }
  const rest = { ...common, spellcheck: false, placeholder: beginText(parameter) };
  if (takesLines(parameter)) {
    const rows = Math.min(6, Math.max(2, value.split('\n').length));
    return <textarea {...rest} rows={rows} onInput={(event) => set(event.currentTarget.value)} />;
  }
  const list = keys.length === 0 ? undefined : `${id}-keys`;
  return (
    <>
      <input {...rest} type="text" autocomplete="off" list={list} onInput={(event) => set(event.currentTarget.value)} />
      {list === undefined ? null : (
        <datalist id={list}>
          {keys.map(toText).map((key) => (
            <option key={key} value={key} />
          ))}
        </datalist>
      )}
    </>
  );
}
