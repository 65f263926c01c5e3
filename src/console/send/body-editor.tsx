import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { BodyField } from './to-request.js';
import { suggest, type Suggestion } from './suggest.js';

interface Props {
  label: string;
  text: string;
  set: (text: string) => void;
  /** The names and values that the contract has for it, if it is JSON. */
  fields: readonly BodyField[];
  marks: readonly string[];
  isRequired: boolean;
}

/** A body as text; below it, what the contract knows for the place of the caret. */
export function BodyEditor({ label, text, set, fields, marks, isRequired }: Props): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | undefined>(undefined);
  const look = (): void => setCaret(box.current?.selectionStart);
  const words = caret === undefined ? [] : suggest(text, Math.min(caret, text.length), fields);
  // In the box itself, so that whoever writes on at once writes behind it.
  const take = ({ insert, from, to }: Suggestion): void => {
    const area = box.current;
    if (area === null) return;
    area.setRangeText(insert, from, to, 'end');
    area.focus();
    set(area.value);
    setCaret(area.selectionStart);
  };
  return (
    <div class="field">
      <label for="field-body">
        {label}
        {isRequired ? <span class="needed"> required</span> : null}
      </label>
      <textarea
        id="field-body"
        ref={box}
        rows={Math.min(24, Math.max(5, text.split('\n').length + 1))}
        spellcheck={false}
        value={text}
        aria-describedby="field-body-about"
        aria-invalid={marks.length > 0}
        onInput={(event) => {
          set(event.currentTarget.value);
          look();
        }}
        onKeyDown={sendByKey}
        onSelect={look}
        onClick={look}
        onKeyUp={look}
      />
      <div id="field-body-about">
        {marks.map((mark) => (
          <p class="mark" key={mark}>
            {mark}
          </p>
        ))}
      </div>
      <Suggestions words={words} take={take} />
    </div>
  );
}

function sendByKey({ key, ctrlKey, metaKey, currentTarget }: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
  if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit();
}

function Suggestions({ words, take }: { words: Suggestion[]; take: (word: Suggestion) => void }): JSX.Element | null {
  if (words.length === 0) return null;
  return (
    <ul class="suggestions" aria-label="Values that the contract allows here">
      {words.map((word) => (
        <li key={word.label}>
          <button type="button" onClick={() => take(word)}>
            <code>{word.label}</code>
            {word.about === '' ? null : <span class="hint"> {word.about}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
