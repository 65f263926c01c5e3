import type { JSX } from 'preact';
import { useState, useEffect } from 'preact/hooks';
import { changes, files } from '../feed.js';
import { Empty, Problem, useData, QuietButton, Card, Item, Button } from '../parts/panel.js';
import { decode, go, route, ask, world } from '../state.js';
import { DataSets } from './data.js';
import type { KeptCollection } from '../types.js';
import { useAct, ALL_BACK, type Act, type WayBack } from './act.js';
import { Records } from './records.js';
import { Choose, Form, Input, NAME, Submit } from '../parts/form.js';
import { moveFocus, settleFocus } from '../parts/focus.js';
import { SameAs } from '../parts/same-as.js';

export function Collections(): JSX.Element {
  const { item = '', of } = route.value;
  const chosen: Place = { name: item, within: of === undefined ? [] : of.split(',').map(decode) };
  const choose = ({ name, within }: Place): void =>
    go(
      `collections/${encodeURIComponent(name)}${within.length === 0 ? '' : `/${encodeURIComponent(within.map(encodeURIComponent).join(','))}`}`,
    );
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
          {kept.within.every((_, index) => (place.within[index] ?? '') !== '') ? (
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
      <DataSets act={act} />
    </div>
  );
}

export type Place = { name: string; within: readonly string[] };
type PlaceProps = { all: readonly KeptCollection[]; kept: KeptCollection; place: Place; choose: (to: Place) => void };

function PlaceForm({ all, kept, place, choose }: PlaceProps): JSX.Element | null {
  const { name, within: scopes, used, parent } = kept;
  if (all.length < 2 && scopes.length === 0) return null;
  const enter = (index: number, key: string): void =>
    choose({ name, within: scopes.map((_, at) => (at === index ? key : (place.within[at] ?? ''))) });
  const counted = all.map((each): [string, string] => {
    return [each.name, each.count === undefined ? each.name : `${each.name} (${each.count})`];
  });
  return (
    <div class="fields-row">
      <Choose label="Collection" value={name} set={(next) => choose({ name: next, within: [] })} options={counted} />
      {scopes.map((scope, index) => (
        <label key={scope}>
          {scope}
          <input
            type="text"
            list={`used-${scope}`}
            placeholder="key of the parent"
            value={place.within[index] ?? ''}
            onInput={(event) => enter(index, event.currentTarget.value)}
          />
          <datalist id={`used-${scope}`}>
            {[...new Set(used.map((keys) => keys[index]))].map((key) => (
              <option key={key} value={key} />
            ))}
          </datalist>
        </label>
      ))}
      {parent === undefined ? null : (
        <QuietButton
          text={`Back to ${parent}`}
          act={() => choose({ name: parent, within: place.within.slice(0, -1) })}
        />
      )}
    </div>
  );
}

type SnapshotsProps = { on: readonly unknown[]; act: Act; kept: readonly KeptCollection[] };

function Snapshots({ on, act, kept }: SnapshotsProps): JSX.Element {
  const { data } = useData(() => ask<{ snapshots: string[] }>('GET /snapshots'), on);
  const [name, setName] = useState('');
  useEffect(settleFocus);
  const change = (what: string, done: string, back?: WayBack): Promise<boolean> => act(() => ask(what), done, back);
  const load = (each: string): Promise<boolean> =>
    change(`POST /snapshots/${each}/restore`, `The records are those of the snapshot ${each}`, ALL_BACK);
  const forget = async (each: string): Promise<void> => {
    moveFocus('#new-record', '#undo');
    await change(`DELETE /snapshots/${each}`, `The snapshot ${each} is removed`, {
      of: `&snapshot=${encodeURIComponent(each)}`,
      done: `The snapshot ${each} is back`,
      focus: `[data-load="${each}"]`,
    });
  };
  const save = async (): Promise<void> => {
    await change(`PUT /snapshots/${encodeURIComponent(name)}`, `Saved as ${name}`);
    setName('');
  };
  const isReset = `The records are reset to the start state${tellStart(kept)}`;
  const reset = (
    <Button text="Reset to the start" id="reset" act={() => change('POST /console/reset', isReset, ALL_BACK)} />
  );
  return (
    <Card id="snapshots" title="Snapshots" action={reset}>
      <p class="hint">
        {`Load and Reset change only the records. The start state is what the mock was started with, or the pack that was used since${tellStart(kept)}.`}
      </p>
      {data?.snapshots.length === 0 ? <p class="hint">No snapshot is saved.</p> : null}
      <ul class="items">
        {data?.snapshots.map((each) => (
          <Item key={each} name={each}>
            <QuietButton text="Load" data-load={each} of={each} act={() => load(each)} />
            <QuietButton text="Delete" of={each} act={() => forget(each)} />
          </Item>
        ))}
      </ul>
      <Form submit={save}>
        <div class="fields-row">
          <Input label="Name" value={name} set={setName} {...NAME} />
          <Submit>Save snapshot</Submit>
        </div>
      </Form>
      <SameAs library="await mock.snapshots.save('before');" admin={{ call: 'PUT /snapshots/before' }} />
    </Card>
  );
}

const MOST_TOLD = 3;

/** How many records there are at the start: `: 50 pets`. */
function tellStart(kept: readonly KeptCollection[]): string {
  const told = kept.flatMap(({ name, singular, countAtStart }) =>
    countAtStart === undefined ? [] : [`${countAtStart} ${countAtStart === 1 ? singular : name}`],
  );
  if (told.length === 0) return '';
  return `: ${told.slice(0, MOST_TOLD).join(', ')}${told.length > MOST_TOLD ? ` and ${told.length - MOST_TOLD} more` : ''}`;
}
