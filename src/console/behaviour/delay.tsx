import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { describeDelay } from '../describe-fault.js';
import { files } from '../feed.js';
import { Card, QuietButton } from '../parts/card.js';
import { Form, Input, Submit } from '../parts/form.js';
import { SameAs } from '../parts/same-as.js';
import { Problem } from '../parts/states.js';
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
  const { data, problem, reload } = useData(() => ask<Delay>('GET /delay'), [world.value, files.value.changed]);
  const typed: Delay = { from: Number(from), to: Number(to) };
  const act = async (what: string, body: unknown, done: string): Promise<void> => {
    await attempt(() => ask(what, body), done);
    await reload();
  };
  const actions = (
    <span class="actions">
      <QuietButton
        of="the delay"
        disabled={data?.to === 0}
        act={() => act('PUT /delay', { from: 0, to: 0 }, 'Requests are no longer delayed')}
      >
        Remove
      </QuietButton>
      <QuietButton act={() => act('DELETE /delay', undefined, 'The delay is that of the start')}>
        Back to the start
      </QuietButton>
    </span>
  );
  return (
    <Card id="delay" title="Delay" action={actions}>
      <Problem text={problem} />
      <p class="hint">{data === undefined ? '…' : describe(data)}</p>
      <Form submit={() => act('PUT /delay', typed, 'Every request waits')}>
        <div class="fields-row">
          <Input label="From, ms" value={from} set={setFrom} min={0} {...LIMITS} />
          <Input label="To, ms" value={to} set={setTo} min={from} {...LIMITS} />
          <Submit>Set</Submit>
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
  return delay.to === 0 ? 'None: every request is answered at once.' : `Every request waits ${describeDelay(delay)}.`;
}
