import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { describeDelay, toLibraryCall } from '../describe-fault.js';
import { Card, QuietButton } from '../parts/card.js';
import { Form, Input, Submit } from '../parts/form.js';
import { SameAs } from '../parts/same-as.js';
import { about, ask, attempt } from '../state.js';
import type { Fault, PlantedFault } from '../types.js';
import { reloadFaults, useFaults } from './use-faults.js';

const LIMITS = { type: 'number', max: 86_400_000, required: true } as const;

/** How long every request is held back: what the mock was started with, and a fault that only waits. */
export function DelayPanel(): JSX.Element {
  const [from, setFrom] = useState('100');
  const [to, setTo] = useState('800');
  const waits = useFaults().faults.filter(isDelayOfAll);
  const fault: Fault = { effect: { delay: { from: Number(from), to: Number(to) } } };
  const clear = async (): Promise<void> => {
    for (const { id } of waits) await ask(`DELETE /faults/${id}`);
  };
  const act = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    await attempt(work, done);
    await reloadFaults();
  };
  const set = async (): Promise<void> => {
    await ask('POST /faults', fault);
    await clear();
  };
  const remove = (
    <QuietButton of="the delay" disabled={waits.length === 0} act={() => act(clear, 'Nothing waits any more')}>
      Remove
    </QuietButton>
  );
  return (
    <Card id="delay" title="Delay" action={remove}>
      <p class="hint">{describe(waits)}</p>
      <Form submit={() => act(set, 'Every request waits')}>
        <div class="fields-row">
          <Input label="From, ms" value={from} set={setFrom} min={0} {...LIMITS} />
          <Input label="To, ms" value={to} set={setTo} min={from} {...LIMITS} />
          <Submit>Set</Submit>
        </div>
        <SameAs
          flag={`--delay ${from}-${to}`}
          library={toLibraryCall(fault)}
          admin={{ call: 'POST /faults', body: fault }}
        />
      </Form>
    </Card>
  );
}

function describe(waits: readonly PlantedFault[]): string {
  const started = about.value?.delay;
  const lines = [
    ...waits.map(({ effect }) => `Every request waits ${describeDelay(effect.delay ?? 0)}.`),
    ...(started === undefined
      ? []
      : [`The mock was started with ${describeDelay(started)}, which stays until it stops.`]),
  ];
  return lines.length === 0 ? 'None: every request is answered at once.' : lines.join(' ');
}

function isDelayOfAll({ operationId, when, effect, times, rate }: Fault): boolean {
  const only = Object.keys(effect).join() === 'delay';
  return only && operationId === undefined && when === undefined && times === undefined && rate === undefined;
}
