import type { JSX } from 'preact';
import { findLine, toLines } from '../json-lines.js';
import type { Message, Violation } from '../types.js';

interface Props {
  message: Message;
  marks: readonly Violation[];
  label: string;
}

/** A body, with each violation shown at its place. */
export function Body({ message, marks, label }: Props): JSX.Element {
  if (message.bodyOmitted)
    return <p class="hint">This body was not stored: it is too long, or the key was not valid.</p>;
  if (message.body === undefined) {
    return (
      <>
        <p class="hint">No body.</p>
        {marks.map((mark) => (
          <p class="mark" key={mark.at}>
            {mark.message}
          </p>
        ))}
      </>
    );
  }
  const lines = toLines(message.body);
  const marked = Map.groupBy(marks, ({ pointer }) => findLine(lines, pointer));
  return (
    <pre class="body" tabIndex={0} role="group" aria-label={label}>
      {lines.map(({ depth, name, text }, index) => {
        const here = marked.get(index);
        return (
          <span key={index} class={here === undefined ? 'json' : 'json is-marked'}>
            {'  '.repeat(depth)}
            <span class="name">{name}</span>
            {text}
            {here?.map((mark) => (
              <span class="mark" key={mark.message}>
                {`  ← ${mark.message}`}
              </span>
            ))}
            {'\n'}
          </span>
        );
      })}
    </pre>
  );
}
