import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { changes, files } from '../feed.js';
import { Empty, Problem } from '../parts/states.js';
import { useData } from '../parts/use-data.js';
import { ask, world } from '../state.js';
import type { KeptCollection } from '../types.js';
import { useAct } from './act.js';
import { Packs } from './packs.js';
import { isWhole, PlaceForm, type Place } from './place.js';
import { Records } from './records.js';
import { Snapshots } from './snapshots.js';

/** What the mock keeps. */
export function Collections(): JSX.Element {
  const [chosen, choose] = useState<Place>({ name: '', within: [] });
  const { act, revision, line } = useAct();
  const on = [world.value, files.value.changed, changes.value, revision];
  const { data, problem } = useData(() => ask<{ collections: KeptCollection[] }>('GET /console/collections'), on);
  const all = data?.collections ?? [];
  const kept = all.find(({ name }) => name === chosen.name) ?? all.find(({ within }) => within.length === 0) ?? all[0];
  const place = kept?.name === chosen.name ? chosen : { name: kept?.name ?? '', within: [] };
  return (
    <div class="stack">
      {line}
      <Problem text={problem} />
      {kept === undefined ? (
        <Empty title={data === undefined ? 'Loading…' : 'The contract has no resource with records'} />
      ) : (
        <>
          <PlaceForm all={all} kept={kept} place={place} choose={choose} />
          {isWhole(place, kept) ? (
            <Records
              key={[place.name, ...place.within].join('/')}
              kept={kept}
              place={place}
              below={all.filter(({ parent }) => parent === kept.name)}
              open={choose}
              on={on}
              act={act}
            />
          ) : null}
        </>
      )}
      <Snapshots on={on} act={act} kept={all} />
      <Packs act={act} />
    </div>
  );
}
