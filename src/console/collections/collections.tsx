import type { JSX } from 'preact';
import { useState, useEffect } from 'preact/hooks';
import { changes, files } from '../feed.js';
import { Empty, Problem, useData, QuietButton, Card, Item, Button } from '../parts/panel.js';
import { go, route, ask, world } from '../state.js';
import { DataSets } from './data.js';
import type { KeptCollection } from '../types.js';
import { useAct, ALL_BACK, type Act, type WayBack } from './act.js';
import { Records } from './records.js';
import { Choose, Form, Input, NAME, Submit } from '../parts/form.js';
import { moveFocus, settleFocus } from '../parts/focus.js';
import { SameAs } from '../parts/same-as.js';

export function Collections(): JSX.Element {
  const { item = '', of } = route.value;
  const chosen: Place = { name: item, within: of === undefined ? [] : of.split(',').map(decodeKey) };
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

function decodeKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface PlaceProps {
  all: readonly KeptCollection[];
  kept: KeptCollection;
  place: Place;
  choose: (place: Place) => void;
}

function PlaceForm({ all, kept, place, choose }: PlaceProps): JSX.Element | null {
  if (all.length < 2 && kept.within.length === 0) return null;
  const name = (index: number, key: string): void =>
    choose({ name: kept.name, within: kept.within.map((_, at) => (at === index ? key : (place.within[at] ?? ''))) });
  return (
    <div class="fields-row">
      <Choose
        label="Collection"
        value={kept.name}
        set={(next) => choose({ name: next, within: [] })}
        options={all.map((each) => [each.name, each.count === undefined ? each.name : `${each.name} (${each.count})`])}
      />
      {kept.within.map((scope, index) => (
        <label key={scope}>
          {scope}
          <input
            type="text"
            list={`used-${scope}`}
            placeholder="key of the parent"
            value={place.within[index] ?? ''}
            onInput={(event) => name(index, event.currentTarget.value)}
          />
          <datalist id={`used-${scope}`}>
            {[...new Set(kept.used.map((keys) => keys[index]))].map((key) => (
              <option key={key} value={key} />
            ))}
          </datalist>
        </label>
      ))}
      {kept.parent === undefined ? null : (
        <QuietButton
          text={`Back to ${kept.parent}`}
          act={() => choose({ name: kept.parent ?? '', within: place.within.slice(0, -1) })}
        />
      )}
    </div>
  );
}

type SnapshotsProps = { on: readonly unknown[]; act: Act; kept: readonly KeptCollection[] };

function Snapshots({ on, act, kept }: SnapshotsProps): JSX.Element {
  const { data } = useData(() => ask<{ snapshots: string[] }>('GET /snapshots'), on);
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
  const reset = (
    <Button
      text="Reset to the start"
      id="reset"
      act={() => change('POST /console/reset', `The records are reset to the start state${tellStart(kept)}`, ALL_BACK)}
    />
  );
  return (
    <Card id="snapshots" title="Snapshots" action={reset}>
      <p class="hint">
        {`Load and Reset change only the records. The start state is what the mock was started with, or the pack that was used since${tellStart(kept)}.`}
      </p>
      {data?.snapshots.length === 0 ? <p class="hint">No snapshot is saved.</p> : null}
      <List names={data?.snapshots ?? []} load={load} forget={forget} />
      <SaveForm save={(name) => change(`PUT /snapshots/${encodeURIComponent(name)}`, `Saved as ${name}`)} />
      <SameAs library="await mock.snapshots.save('before');" admin={{ call: 'PUT /snapshots/before' }} />
    </Card>
  );
}

function SaveForm({ save }: { save: (name: string) => Promise<boolean> }): JSX.Element {
  const [name, setName] = useState('');
  const submit = async (): Promise<void> => {
    await save(name);
    setName('');
  };
  return (
    <Form submit={submit}>
      <div class="fields-row">
        <Input label="Name" value={name} set={setName} {...NAME} />
        <Submit>Save snapshot</Submit>
      </div>
    </Form>
  );
}

type ListProps = { names: readonly string[]; load: (name: string) => unknown; forget: (name: string) => unknown };

function List({ names, load, forget }: ListProps): JSX.Element {
  useEffect(settleFocus);
  return (
    <ul class="items">
      {names.map((each) => (
        <Item key={each} name={each}>
          <QuietButton text="Load" data-load={each} aria-label={`Load ${each}`} act={() => load(each)} />
          <QuietButton text="Delete" of={each} act={() => forget(each)} />
        </Item>
      ))}
    </ul>
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
