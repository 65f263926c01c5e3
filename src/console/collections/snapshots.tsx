import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Card, Item, QuietButton } from '../parts/card.js';
import { moveFocus, settleFocus } from '../parts/focus.js';
import { Form, Input, NAME, Submit } from '../parts/form.js';
import { SameAs } from '../parts/same-as.js';
import { useData } from '../parts/use-data.js';
import { ask } from '../state.js';
import type { KeptCollection } from '../types.js';
import { ALL_BACK, type Act, type WayBack } from './act.js';

interface Props {
  /** A change of this value reloads the snapshots. */
  on: readonly unknown[];
  act: Act;
  /** The collections, for what they have at the start. */
  kept: readonly KeptCollection[];
}

/** Ways back: to the start, and to a snapshot. */
export function Snapshots({ on, act, kept }: Props): JSX.Element {
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
    <button
      type="button"
      id="reset"
      onClick={() =>
        void change('POST /console/reset', `The records are reset to the start state${tellStart(kept)}`, ALL_BACK)
      }
    >
      Reset to the start
    </button>
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

interface ListProps {
  names: readonly string[];
  load: (name: string) => unknown;
  forget: (name: string) => unknown;
}

function List({ names, load, forget }: ListProps): JSX.Element {
  useEffect(settleFocus);
  return (
    <ul class="items">
      {names.map((each) => (
        <Item key={each} name={each}>
          <button
            type="button"
            class="quiet"
            data-load={each}
            aria-label={`Load ${each}`}
            onClick={() => void load(each)}
          >
            Load
          </button>
          <QuietButton of={each} act={() => forget(each)}>
            Delete
          </QuietButton>
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
