import type { JSX } from 'preact';
import { signal, useComputed } from '@preact/signals';
import { connection, rows, skipped } from '../feed.js';
import { Empty, Status, VERDICTS } from '../parts/states.js';
import { VirtualList } from '../parts/virtual-list.js';
import { about, ask, attempt, go, route } from '../state.js';
import type { Row } from '../types.js';
import { Detail } from './detail.js';
import { fits, NO_FILTER, type Filter } from './filter.js';
import { Filters } from './filters.js';

const filter = signal<Filter>(NO_FILTER);

const NARROW = matchMedia('(max-width: 700px)');
const isNarrow = signal(NARROW.matches);
NARROW.addEventListener('change', ({ matches }) => (isNarrow.value = matches));

const ROW_PX = 34;
const NARROW_ROW_PX = 58;

/** What was sent and what was answered, newest first. */
export function Exchanges(): JSX.Element {
  const shown = useComputed(() => {
    const now = rows.value.at(-1)?.time ?? 0;
    const all = filter.value === NO_FILTER ? [...rows.value] : rows.value.filter((row) => fits(row, filter.value, now));
    return all.reverse();
  });
  const item = route.value.item;
  const selected = item === undefined ? undefined : Number(item);
  return (
    <div class={`split${selected === undefined ? '' : ' has-open'}`}>
      <section class="master" aria-label="Exchanges">
        <Filters filter={filter} />
        <div class="bar">
          <p class="hint" role="status">
            {describeCount(shown.value.length, rows.value.length)}
            {skipped.value > 0 ? ` · ${skipped.value} came too fast to be listed` : ''}
          </p>
          <button type="button" class="quiet" disabled={rows.value.length === 0} onClick={() => void clear()}>
            Forget all
          </button>
        </div>
        {shown.value.length === 0 ? (
          <Nothing />
        ) : (
          <>
            <div class="row head" aria-hidden="true">
              <Columns names={['Time', 'Method', 'Path', 'Status', 'Took', 'Operation', 'Verdict']} />
            </div>
            <VirtualList
              items={shown.value}
              height={isNarrow.value ? NARROW_ROW_PX : ROW_PX}
              label="Exchanges, newest first"
              keyOf={(row) => row.id}
              selected={selected}
              select={(row) => go(`exchanges/${row.id}`)}
            >
              {(row) => <Line row={row} />}
            </VirtualList>
          </>
        )}
      </section>
      {selected === undefined ? null : <Detail id={selected} />}
    </div>
  );
}

async function clear(): Promise<void> {
  await attempt(() => ask('DELETE /requests'), 'The journal is empty');
  go('exchanges');
}

function describeCount(shown: number, all: number): string {
  const counted = `${all} exchange${all === 1 ? '' : 's'}`;
  return shown === all ? counted : `${shown} of ${counted}`;
}

function Nothing(): JSX.Element {
  if (rows.value.length > 0) return <Empty title="No exchange fits the filter" />;
  if (connection.value !== 'live')
    return <Empty title={connection.value === 'lost' ? 'Not connected' : 'Connecting…'} />;
  const { basePath = '' } = about.value ?? {};
  return (
    <Empty title="Nothing was sent yet">
      <p>
        Ask for something below <code>{`${location.origin}${basePath}`}</code> and it shows here. The{' '}
        <a href="/">first page</a> has commands to copy.
      </p>
    </Empty>
  );
}

const CLASSES = ['time', 'method', 'path', 'code', 'took', 'operation', 'verdict'];

function Columns({ names }: { names: string[] }): JSX.Element {
  return (
    <>
      {names.map((name, index) => (
        <span key={name} class={CLASSES[index] ?? ''}>
          {name}
        </span>
      ))}
    </>
  );
}

function Line({ row }: { row: Row }): JSX.Element {
  const { time, method, url, status, duration, operationId, verdict, reason, faults } = row;
  return (
    <>
      <span class="time">{formatTime(time)}</span>
      <span class="method">{method}</span>
      <span class="path" title={url}>
        {url}
      </span>
      <span class="code">
        <Status status={status} />
      </span>
      <span class="took">{formatDuration(duration)}</span>
      <span class="operation">{operationId ?? '–'}</span>
      <span class={`verdict ${verdict}`} title={reason}>
        {verdict === 'ok' ? (faults > 0 ? 'fault struck' : 'ok') : VERDICTS[verdict]}
      </span>
    </>
  );
}

export function formatTime(time: number): string {
  return new Date(time).toTimeString().slice(0, 8);
}

export function formatDuration(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
