import type { JSX } from 'preact';
import { computed, signal } from '@preact/signals';
import { printExact } from '../exact-json.js';
import { connection, rows, skipped } from '../feed.js';
import { download } from '../parts/download.js';
import { Empty } from '../parts/states.js';
import { VirtualList } from '../parts/virtual-list.js';
import { about, ask, attempt, go, route, world } from '../state.js';
import { Compare } from './compare.js';
import { Detail } from './detail.js';
import { fits, NO_FILTER, type Filter } from './filter.js';
import { Filters } from './filters.js';
import { Columns, Line } from './line.js';
import { writeRanges } from './ranges.js';
import { followText, found } from './search.js';

const filter = signal<Filter>(NO_FILTER);
const text = computed(() => filter.value.text.trim());
followText(text);

const shown = computed(() => {
  const now = rows.value.at(-1)?.time ?? 0;
  const { ids } = found.value;
  const all =
    filter.value === NO_FILTER ? [...rows.value] : rows.value.filter((row) => fits(row, filter.value, now, ids));
  return all.reverse();
});

const NARROW = matchMedia('(max-width: 700px)');
const isNarrow = signal(NARROW.matches);
NARROW.addEventListener('change', ({ matches }) => (isNarrow.value = matches));

const ROW_PX = 34;
const NARROW_ROW_PX = 58;

/** What was sent and what was answered, newest first. */
export function Exchanges(): JSX.Element {
  // `17`, or `17-12` for two to compare.
  const [selected, other] = route.value.item?.split('-').map(Number) ?? [];
  return (
    <div class={`split${selected === undefined ? '' : ' has-open'}`}>
      <section class="master" aria-label="Exchanges">
        <Filters filter={filter} />
        <div class="bar">
          <p class="hint" role="status">
            {describeCount(shown.value.length, rows.value.length)}
            {found.value.text === text.value ? '' : ' · searching header fields and bodies…'}
            {skipped.value > 0 ? ` · ${skipped.value} arrived too fast to be listed` : ''}
          </p>
          <span class="actions">
            <button type="button" class="quiet" disabled={shown.value.length === 0} onClick={() => void saveHar()}>
              Download as HAR
            </button>
            <button type="button" class="quiet" disabled={rows.value.length === 0} onClick={() => void clear()}>
              Remove all
            </button>
          </span>
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
      {selected === undefined ? null : other === undefined ? (
        <Detail id={selected} />
      ) : (
        <Compare first={selected} second={other} />
      )}
    </div>
  );
}

async function clear(): Promise<void> {
  await attempt(() => ask('DELETE /requests'), 'All exchanges are removed');
  go('exchanges');
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

function describeCount(count: number, all: number): string {
  const counted = `${all} exchange${all === 1 ? '' : 's'}`;
  return count === all ? counted : `${count} of ${counted}`;
}

function Nothing(): JSX.Element {
  if (rows.value.length > 0)
    return <Empty title={found.value.text === text.value ? 'No exchange matches the filter' : 'Searching…'} />;
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
