import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { files } from '../feed.js';
import { Card, QuietButton } from '../parts/card.js';
import { Form, Input, Submit } from '../parts/form.js';
import { SameAs } from '../parts/same-as.js';
import { Pending } from '../parts/states.js';
import { useData } from '../parts/use-data.js';
import { about, ask, attempt, world } from '../state.js';

interface Clock {
  now: string;
  frozen: boolean;
}

const DAY_MS = 86_400_000;

/** The world's date. */
export function ClockPanel(): JSX.Element {
  const clock = useData(() => ask<Clock>('GET /clock'), [world.value, files.value.changed]);
  const { data, reload } = clock;
  const sunset = about.value?.operations.find((each) => each.sunset !== undefined)?.sunset;
  const [typed, setDate] = useState<string | undefined>(undefined);
  const date = typed ?? sunset ?? '2030-01-01';
  const act = async (what: string, body: unknown, done: string): Promise<void> => {
    await attempt(() => ask(what, body), done);
    await reload();
  };
  const reset = (
    <QuietButton act={() => act('DELETE /clock', undefined, 'The clock is reset')}>Reset the clock</QuietButton>
  );
  return (
    <Card id="clock" title="Clock" action={reset}>
      <Pending of={clock} />
      {data === undefined ? null : (
        <p>
          <time dateTime={data.now}>{data.now.replace('T', ' ').slice(0, 19)} UTC</time>{' '}
          <span class="hint">{data.frozen ? 'stopped' : 'running'}</span>
        </p>
      )}
      <Form submit={() => act('POST /clock/set', { date }, 'The clock is set')}>
        <div class="fields-row">
          <Input label="Date" value={date} set={setDate} required />
          <Submit>Set the date</Submit>
          <QuietButton act={() => act('POST /clock/advance', { ms: DAY_MS }, 'A day has passed')}>+1 day</QuietButton>
          <QuietButton act={() => act('POST /clock/freeze', {}, 'The clock is stopped')}>Stop the clock</QuietButton>
        </div>
        {sunset === undefined ? null : <p class="hint">On {sunset} a deprecated operation is removed.</p>}
      </Form>
      <SameAs
        flag={`--now ${date}`}
        library={`await mock.clock.set('${date.replaceAll("'", '')}');`}
        admin={{ call: 'POST /clock/set', body: { date } }}
      />
    </Card>
  );
}
