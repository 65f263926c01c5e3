import { Search, Select } from '../parts/form.js';
import type { JSX } from 'preact';
import { computed, signal, effect, type ReadonlySignal } from '@preact/signals';
import { printExact } from '../exact-json.js';
import { connection, rows, skipped, changes } from '../feed.js';
import { download, Empty, Status, VERDICTS, formatDuration, formatTime, QuietButton } from '../parts/panel.js';
import { VirtualList } from '../parts/virtual-list.js';
import { isNarrow, about, ask, attempt, go, route, world } from '../state.js';
import { Compare } from './compare.js';
import { Detail } from './detail.js';
import { fits, NO_FILTER, verdictOf, type Filter, writeRanges } from './filter.js';
import type { Row } from '../types.js';

type Found = { text: string; ids: ReadonlySet<number> };

const NOTHING: Found = { text: '', ids: new Set() };
const found = signal<Found>(NOTHING);

/** Searches for a text whenever it changes, and again when more was sent. The last question counts. */
function followText(text: ReadonlySignal<string>): void {
  let asked = 0;
  effect(() => {
    const wanted = text.value;
    const name = world.value;
    void changes.value;
    asked += 1;
    if (wanted === '') return void (found.value = NOTHING);
    const mine = asked;
    void attempt(async () => {
      const { ids } = await ask<{ ids: number[] }>(`GET /console/search?text=${encodeURIComponent(wanted)}`);
      if (mine === asked && name === world.value) found.value = { text: wanted, ids: new Set(ids) };
    });
  });
}

const shownFilter = signal<Filter>(NO_FILTER);
const searched = computed(() => shownFilter.value.text.trim());
followText(searched);

const shown = computed(() => {
  const now = rows.value.at(-1)?.time ?? 0;
  const { ids } = found.value;
  const all =
    shownFilter.value === NO_FILTER
      ? [...rows.value]
      : rows.value.filter((row) => fits(row, shownFilter.value, now, ids));
  return all.reverse();
});

const COLUMNS = [
  ...Object.entries({ time: 'Time', method: 'Method', path: 'Path', code: 'Status', took: 'Took' }),
  ...Object.entries({ operation: 'Operation', verdict: 'Verdict' }),
];

const ROW_PX = 34;
const NARROW_ROW_PX = 58;

export function Exchanges(): JSX.Element {
  // `17`, or `17-12` for two to compare; an address that no panel has leads here too.
  const open = /^\d+(?:-\d+)?$/.exec(route.value.item ?? '')?.[0];
  const [selected, other] = open?.split('-').map(Number) ?? [];

  const counted = `${rows.value.length} exchange${rows.value.length === 1 ? '' : 's'}`;
  return (
    <div class={`split${selected === undefined ? '' : ' has-open'}`}>
      <section class="master" aria-label="Exchanges">
        <Filters />
        <div class="bar">
          <p class="hint" role="status">
            {shown.value.length === rows.value.length ? counted : `${shown.value.length} of ${counted}`}
            {found.value.text === searched.value ? '' : ' · searching header fields and bodies…'}
            {skipped.value > 0 ? ` · ${skipped.value} arrived too fast to be listed` : ''}
          </p>
          <span class="actions">
            <QuietButton text="Download as HAR" disabled={shown.value.length === 0} act={saveHar} />
            <QuietButton
              text="Remove all"
              disabled={rows.value.length === 0}
              act={async () => {
                await attempt(() => ask('DELETE /requests'), 'All exchanges are removed');
                go('exchanges');
              }}
            />
          </span>
        </div>
        {shown.value.length === 0 ? (
          <Nothing />
        ) : (
          <>
            <div class="row head" aria-hidden="true">
              {COLUMNS.map(([name, title]) => (
                <span key={name} class={name}>
                  {title}
                </span>
              ))}
            </div>
            <VirtualList
              items={shown.value}
              height={isNarrow.value ? NARROW_ROW_PX : ROW_PX}
              label="Exchanges, newest first"
              keyOf={(row) => row.id}
              selected={selected}
              select={(row) => go(other === undefined ? `exchanges/${row.id}` : `exchanges/${selected}-${row.id}`)}
            >
              {(row) => <Line row={row} />}
            </VirtualList>
          </>
        )}
      </section>
      {selected === undefined ? null : other === undefined ? (
        <Detail id={selected} />
      ) : (
        <Compare first={selected} second={other} />
      )}
    </div>
  );
}

/** What the list shows, in the format that browsers' own tools read. */
async function saveHar(): Promise<void> {
  const ids = shown.value.map(({ id }) => id);
  const done = `The file has ${ids.length} exchange${ids.length === 1 ? '' : 's'}`;
  await attempt(async () => {
    const har = await ask(`GET /console/har?ids=${writeRanges(ids)}`);
    download(`${world.value}.har`, 'application/json', printExact(har, '  '));
  }, done);
}

function Nothing(): JSX.Element {
  if (rows.value.length > 0)
    return <Empty title={found.value.text === searched.value ? 'No exchange matches the filter' : 'Searching…'} />;
  if (connection.value !== 'live')
    return <Empty title={connection.value === 'lost' ? 'Not connected' : 'Connecting…'} />;
  const { basePath = '' } = about.value ?? {};
  return (
    <Empty title="No requests yet">
      <p>
        Ask for something below <code>{`${location.origin}${basePath}`}</code> and it shows here. The{' '}
        <a href="/">first page</a> has commands to copy.
      </p>
    </Empty>
  );
}

type Choice = { name: keyof Filter; label: string; options: [string, string][] };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const CLASSES = ['2xx', '3xx', '4xx', '5xx'];
const MINUTES = { 1: 'last minute', 5: 'last 5 minutes', 30: 'last 30 minutes' };

function listChoices(): Choice[] {
  const operations = (about.value?.operations ?? []).map(({ id }): [string, string] => [id, id]);
  const statuses = CLASSES.map((each): [string, string] => [each.slice(0, 1), each]);
  return [
    { name: 'method', label: 'Method', options: METHODS.map((each) => [each, each]) },
    { name: 'status', label: 'Status', options: [...statuses, ['0', 'reset']] },
    { name: 'operation', label: 'Operation', options: [...operations, ['-', 'not in the contract']] },
    { name: 'verdict', label: 'Verdict', options: Object.entries(VERDICTS) },
    { name: 'minutes', label: 'Time', options: Object.entries(MINUTES) },
  ];
}

function Filters(): JSX.Element {
  const filter = shownFilter;
  const set = (name: keyof Filter, value: string): void => void (filter.value = { ...filter.value, [name]: value });
  const isSet = Object.values(filter.value).some((value) => value !== '');
  return (
    <form class="filters" role="search" aria-label="Filter exchanges" onSubmit={(event) => event.preventDefault()}>
      <Search
        label="Search in paths, reasons, header fields and bodies"
        placeholder="Search everything"
        value={filter.value.text}
        set={(text) => set('text', text)}
      />
      {listChoices().map(({ name, label, options }) => (
        <Select
          key={name}
          aria-label={label}
          value={filter.value[name]}
          class={filter.value[name] === '' ? '' : 'is-set'}
          set={(value) => set(name, value)}
          options={[['', label], ...options]}
        />
      ))}
      {isSet ? <QuietButton text="Clear the filter" act={() => (filter.value = NO_FILTER)} /> : null}
    </form>
  );
}

function Line({ row }: { row: Row }): JSX.Element {
  const { time, method, url, status, duration, operationId, reason } = row;
  const verdict = verdictOf(row);
  return (
    <>
      <span class="time">{formatTime(time)}</span>
      <span class={`method is-${method.toLowerCase()}`}>{method}</span>
      <span class="path" title={url}>
        {url}
      </span>
      <span class="code">
        <Status status={status} />
      </span>
      <span class="took">{formatDuration(duration)}</span>
      <span class={`operation${reason === undefined ? '' : ' gives-way'}`}>{operationId ?? '–'}</span>
      <span class={`verdict ${verdict}`} title={reason}>
        {verdict === 'fault' && reason !== undefined ? null : <span class="side">{VERDICTS[verdict]}</span>}
        {reason === undefined ? null : <span class="why">{reason}</span>}
      </span>
    </>
  );
}
