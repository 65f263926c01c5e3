import type { JSX } from 'preact';
import { changes } from './feed.js';
import { Empty, Problem, useData } from './parts/panel.js';
import { SameAs } from './parts/same-as.js';
import { ask, world } from './state.js';
import type { Coverage, CoverageItem } from './types.js';

const KINDS: Record<CoverageItem['kind'], string> = {
  operation: 'called',
  status: 'statuses',
  parameter: 'parameters',
  enum: 'enum values',
  bound: 'bounds',
  rule: 'rules broken on purpose',
};

export function CoveragePanel(): JSX.Element {
  const { data, problem } = useData(() => ask<Coverage>('GET /console/coverage'), [world.value, changes.value]);
  if (data === undefined) return problem === undefined ? <Empty title="Counting…" /> : <Problem text={problem} />;
  const items = data.operations.flatMap((each) => each.items);
  const seen = items.filter((item) => item.seen).length;
  return (
    <div class="stack">
      <section class="card" aria-labelledby="coverage">
        <h2 id="coverage">
          {seen} of {items.length} <span class="hint">parts of the contract were exercised since the start</span>
        </h2>
        <svg class="meter" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
          <rect class="meter-all" width="1000" height="10" />
          <rect
            class="meter-part"
            width={Math.round(1000 * (items.length === 0 ? 0 : seen / items.length))}
            height="10"
          />
        </svg>
        <SameAs library="await mock.coverage({ threshold: 80 });" admin={{ call: 'GET /coverage' }} />
      </section>
      {data.operations.map((operation) => (
        <section class="card" key={operation.id} aria-label={operation.id}>
          <h3>
            {operation.id} <span class="hint">{`${operation.method} ${operation.path}`}</span>
          </h3>
          {(Object.keys(KINDS) as CoverageItem['kind'][]).map((kind) => (
            <Group
              key={kind}
              name={KINDS[kind]}
              operation={operation.id}
              items={operation.items.filter((item) => item.kind === kind)}
            />
          ))}
        </section>
      ))}
    </div>
  );
}

function Group({ name, operation, items }: { name: string; operation: string; items: readonly CoverageItem[] }) {
  if (items.length === 0) return null;
  const seen = items.filter((item) => item.seen).length;
  return (
    <div class="coverage-group">
      <p class="coverage-name">
        {name}{' '}
        <span class="hint">
          {seen} of {items.length}
        </span>
      </p>
      <ul class="cells">
        {items.map((item) => (
          <li
            key={item.id}
            class={item.seen ? 'cell is-seen' : 'cell'}
            title={`${item.id}${item.line === undefined ? '' : `, line ${item.line}`}`}
          >
            <span class="sign" aria-hidden="true">
              {item.seen ? '✓' : '·'}
            </span>
            {item.id
              .replace(`${operation} `, '')
              .replace(/^(?:answers|is sent) /, '')
              .replace(/^is called$/, 'yes')}
            <span class="sr">{item.seen ? ' was seen' : ' is not covered'}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
