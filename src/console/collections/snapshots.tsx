import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { files } from '../feed.js';
import { Card, Item, QuietButton } from '../parts/card.js';
import { Form, Input, NAME, Submit } from '../parts/form.js';
import { SameAs } from '../parts/same-as.js';
import { useData } from '../parts/use-data.js';
import { ask, world } from '../state.js';
import type { Act } from './collections.js';

/** Ways back: to the start, and to a snapshot. */
export function Snapshots({ act }: { act: Act }): JSX.Element {
  const { data, reload } = useData(
    () => ask<{ snapshots: string[] }>('GET /snapshots'),
    [world.value, files.value.changed],
  );
  const [name, setName] = useState('');
  const change = async (what: string, done: string): Promise<void> => {
    await act(() => ask(what), done);
    await reload();
  };
  const keep = async (): Promise<void> => {
    await change(`PUT /snapshots/${encodeURIComponent(name)}`, `Kept as ${name}`);
    setName('');
  };
  const reset = (
    <button type="button" onClick={() => void change('POST /reset', 'Everything is as it was at the start')}>
      Reset to the start
    </button>
  );
  return (
    <Card id="snapshots" title="Snapshots" action={reset}>
      {data?.snapshots.length === 0 ? <p class="hint">None is kept.</p> : null}
      <ul class="items">
        {data?.snapshots.map((each) => (
          <Item key={each} name={each}>
            <QuietButton
              of={each}
              act={() => change(`POST /snapshots/${each}/restore`, `Everything is as it was in ${each}`)}
            >
              Restore
            </QuietButton>
            <QuietButton of={each} act={() => change(`DELETE /snapshots/${each}`, `${each} is forgotten`)}>
              Forget
            </QuietButton>
          </Item>
        ))}
      </ul>
      <Form submit={keep}>
        <div class="fields-row">
          <Input label="Name" value={name} set={setName} {...NAME} />
          <Submit>Keep what is there</Submit>
        </div>
      </Form>
      <SameAs library="await mock.snapshots.save('before');" admin={{ call: 'PUT /snapshots/before' }} />
    </Card>
  );
}
