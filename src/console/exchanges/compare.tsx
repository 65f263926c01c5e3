import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { rows } from '../feed.js';
import { Choose } from '../parts/form.js';
import { Pending, useData, formatTime, QuietButton } from '../parts/panel.js';
import { ask, go, world } from '../state.js';
import type { Exchange } from '../types.js';
import { compareParts, type ComparedPart, foldSame } from './compare-parts.js';

export function Compare({ first, second }: { first: number; second: number }): JSX.Element {
  const load = (id: number): Promise<Exchange> => ask<Exchange>(`GET /console/exchanges/${id}`);
  const loaded = useData(() => Promise.all([load(first), load(second)]), [first, second, world.value]);
  const [one, other] = loaded.data ?? [];
  const pair = useRef<HTMLDivElement>(null);
  // What one came to choose.
  useEffect(() => pair.current?.querySelector<HTMLElement>('label:last-child select')?.focus(), []);
  const back = (): void => go(`exchanges/${first}`);
  return (
    <section
      class="detail"
      aria-label="Comparison"
      onKeyDown={(event) => (event.key === 'Escape' ? back() : undefined)}
    >
      <div class="bar">
        <h2>Two exchanges compared</h2>
        <QuietButton text="Close the comparison" act={back} />
      </div>
      <div class="pair" ref={pair}>
        <Pick label="First (−)" value={first} set={(id) => go(`exchanges/${id}-${second}`)} />
        <Pick label="Second (+)" value={second} set={(id) => go(`exchanges/${first}-${id}`)} />
      </div>
      <Pending of={loaded} />
      {one === undefined || other === undefined || loaded.problem !== undefined ? null : (
        <Parts parts={compareParts(one, other)} />
      )}
    </section>
  );
}

function Pick({ label, value, set }: { label: string; value: number; set: (id: number) => void }): JSX.Element {
  const options = rows.value
    .toReversed()
    .map((row): [string, string] => [
      String(row.id),
      `${formatTime(row.time)} ${row.method} ${row.url} ${row.status === 0 ? 'reset' : row.status}`,
    ]);
  const isListed = rows.value.some(({ id }) => id === value);
  const gone: [string, string][] = isListed ? [] : [[String(value), 'no longer stored']];
  return <Choose label={label} value={String(value)} set={(id) => set(Number(id))} options={[...gone, ...options]} />;
}

function Parts({ parts }: { parts: readonly ComparedPart[] }): JSX.Element {
  const different = parts.filter(({ isSame }) => !isSame);
  const same = parts.filter(({ isSame }) => isSame).map(({ name }) => name.toLowerCase());
  return (
    <>
      <p class="hint" role="status">
        {different.length === 0 ? 'They are the same.' : ''}
        {different.length > 0 && same.length > 0 ? `The same in both: ${same.join(', ')}.` : ''}
      </p>
      {different.map(({ name, lines }) => (
        <section class="half" key={name} aria-label={name}>
          <h3>{name}</h3>
          <pre class="body" tabIndex={0} role="group" aria-label={`Differences: ${name}`}>
            {foldSame(lines).map((line, index) =>
              typeof line === 'number' ? (
                <span key={index} class="json is-folded">
                  {`  … ${line} line${line === 1 ? '' : 's'} the same\n`}
                </span>
              ) : (
                <span key={index} class={`json of-${line.of}`}>{`${SIGNS[line.of]}${line.text}\n`}</span>
              ),
            )}
          </pre>
        </section>
      ))}
    </>
  );
}

const SIGNS = { first: '− ', second: '+ ', both: '  ' } as const;
