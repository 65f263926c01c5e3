import type { JSX } from 'preact';
import type { Excerpt } from '../types.js';

/** Lines of the contract with their numbers; the relevant one is highlighted. */
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
