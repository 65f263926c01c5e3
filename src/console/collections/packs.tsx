import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Card } from '../parts/card.js';
import { Choose } from '../parts/form.js';
import { SameAs } from '../parts/same-as.js';
import { about, ask, attempt, world } from '../state.js';
import { ALL_BACK, type Act, type WayBack } from './act.js';

const START_BACK: WayBack = { of: '', done: 'The start state and the records are restored', focus: '#begin' };

/** What the world begins with, and its records as a file. */
export function Packs({ act }: { act: Act }): JSX.Element {
  const [pack, setPack] = useState('default');
  const begin = (): Promise<boolean> =>
    act(() => ask('POST /fixtures/use', { fixtures: pack }), `The start state is now the pack ${pack}`, START_BACK);
  const load = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    await act(
      async () => ask('PUT /fixtures', { pack: await file.text() }),
      `${file.name} is imported; the start state is unchanged`,
      ALL_BACK,
    );
  };
  return (
    <Card id="packs" title="Fixture packs">
      <div class="fields-row">
        <Choose
          label="Shipped pack"
          value={pack}
          set={setPack}
          options={(about.value?.packs ?? []).map((each) => [each, each])}
        />
        <button type="button" id="begin" onClick={() => void begin()}>
          Use this pack
        </button>
        <label>
          Import
          <input
            type="file"
            accept=".yaml,.yml,.json"
            onChange={(event) => void load(event.currentTarget.files?.[0])}
          />
        </label>
        <button type="button" onClick={() => void attempt(save, 'Saved as a pack')}>
          Export the records as a pack
        </button>
      </div>
      <SameAs
        flag={`--fixtures ${pack}`}
        library={`await mock.useFixtures('${pack}');`}
        admin={{ call: 'POST /fixtures/use', body: { fixtures: pack } }}
      />
    </Card>
  );
}

async function save(): Promise<void> {
  const { pack } = await ask<{ pack: string }>('GET /fixtures');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([pack], { type: 'application/yaml' }));
  link.download = `${world.value}.yaml`;
  link.click();
  URL.revokeObjectURL(link.href);
}
