import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { describeDelay } from '../describe-fault.js';
import { files } from '../feed.js';
import { Card, QuietButton } from '../parts/card.js';
import { Form, Input, Submit } from '../parts/form.js';
import { SameAs } from '../parts/same-as.js';
import { Pending } from '../parts/states.js';
import { useData } from '../parts/use-data.js';
import { ask, attempt, world } from '../state.js';

interface Delay {
  from: number;
  to: number;
}

const LIMITS = { type: 'number', max: 86_400_000, required: true } as const;

/** How long every request is held back. */
export function DelayPanel(): JSX.Element {
  const [from, setFrom] = useState('100');
  const [to, setTo] = useState('800');
  const delay = useData(() => ask<Delay>('GET /delay'), [world.value, files.value.changed]);
  const { data, reload } = delay;
  const typed: Delay = { from: Number(from), to: Number(to) };
  const act = async (what: string, body: unknown, done: string): Promise<void> => {
    await attempt(() => ask(what, body), done);
    await reload();
  };
  const actions = (
    <span class="actions">
      <QuietButton
        disabled={data === undefined || data.to === 0}
        act={() => act('PUT /delay', { from: 0, to: 0 }, 'Requests are no longer delayed')}
      >
        Remove the delay
      </QuietButton>
      <QuietButton act={() => act('DELETE /delay', undefined, 'The delay is reset')}>Reset the delay</QuietButton>
    </span>
  );
  return (
    <Card id="delay" title="Delay" action={actions}>
      <Pending of={delay} />
      {data === undefined ? null : <p class="hint">{describe(data)}</p>}
      <Form submit={() => act('PUT /delay', typed, 'Every request waits')}>
        <div class="fields-row">
          <Input label="From, ms" value={from} set={setFrom} min={0} {...LIMITS} />
          <Input label="To, ms" value={to} set={setTo} min={from} {...LIMITS} />
          <Submit>Delay every request</Submit>
        </div>
        <SameAs
          flag={`--delay ${from === to ? from : `${from}-${to}`}`}
          library={`await mock.delay.set({ from: ${from}, to: ${to} });`}
          admin={{ call: 'PUT /delay', body: typed }}
        />
      </Form>
    </Card>
  );
}

function describe(delay: Delay): string {
  return delay.to === 0 ? 'No delay.' : `Every request waits ${describeDelay(delay)}.`;
}
