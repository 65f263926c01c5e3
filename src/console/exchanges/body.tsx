import { Search, Marks } from '../parts/form.js';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { findLine, toLines, type JsonLine } from '../exact-json.js';
import type { Excerpt, Message, Violation } from '../types.js';

type BodyProps = { message: Message; marks: readonly Violation[]; label: string };

export function Body({ message, marks, label }: BodyProps): JSX.Element {
  if (message.bodyOmitted)
    return <p class="hint">This body was not stored: it is too long, or the key was not valid.</p>;
  if (message.body === undefined) {
    return (
      <>
        <p class="hint">No body.</p>
        <Marks of={marks.map(({ message: text }) => text)} />
      </>
    );
  }
  return <Lines value={message.body} marks={marks} label={label} />;
}

/** A body with fewer lines is seen as a whole. */
const LEAST_TO_SEARCH = 20;

function Lines({ value, marks, label }: { value: unknown; marks: readonly Violation[]; label: string }): JSX.Element {
  const [search, setSearch] = useState('');
  const lines = toLines(value);
  const marked = Map.groupBy(marks, ({ pointer }) => findLine(lines, pointer));
  const wanted = search.trim().toLowerCase();
  const isFound = ({ name, text }: JsonLine): boolean => `${name}${text}`.toLowerCase().includes(wanted);
  const found = wanted === '' ? lines.length : lines.filter(isFound).length;
  return (
    <>
      {lines.length < LEAST_TO_SEARCH ? null : (
        <div class="toolbar">
          <Search label={`Find in: ${label}`} placeholder="Find in this body" value={search} set={setSearch} />
          <span class="hint" role="status">
            {wanted === '' ? '' : `${found} of ${lines.length} lines`}
          </span>
        </div>
      )}
      <pre class="body" tabIndex={0} role="group" aria-label={label}>
        {lines.map((line, index) => {
          const { depth, name, text } = line;
          const here = marked.get(index);
          if (wanted !== '' && !isFound(line)) return null;
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
    </>
  );
}

export function ContractLines({ excerpt }: { excerpt: Excerpt }): JSX.Element {
  const { file, from, lines, line } = excerpt;
  const width = String(from + lines.length).length;
  return (
    <figure class="contract">
      <figcaption>
        {file}:{line}
      </figcaption>
      <pre tabIndex={0} role="group" aria-label={`${file}, line ${line}`}>
        {lines.map((text, index) => (
          <span key={index} class={from + index === line ? 'json is-meant' : 'json'}>
            <span class="number">{String(from + index).padStart(width)} </span>
            {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </figure>
  );
}
