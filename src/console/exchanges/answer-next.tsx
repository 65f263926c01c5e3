import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AtOnce } from '../behaviour/at-once.js';
import { FaultForm } from '../behaviour/fault-form.js';
import { changeFaults } from '../behaviour/use-faults.js';
import { about } from '../state.js';
import type { Exchange, Fault } from '../types.js';

/** Makes a fault from an exchange: the next client that sends the same gets another answer. */
export function AnswerNext({ exchange, done }: { exchange: Exchange; done: () => void }): JSX.Element {
  const [start] = useState(() => toFault(exchange));
  const { status, response } = exchange;
  const given = { status, ...(response.body === undefined ? {} : { body: response.body }) };
  const plant = async (fault: Fault): Promise<void> => {
    if (await changeFaults('POST /faults', 'The next request like this gets this response', fault)) done();
  };
  const statuses = about.value?.operations.find(({ id }) => id === exchange.operationId)?.statuses ?? [];
  return (
    <div class="card">
      <p>The next request like this gets:</p>
      <AtOnce statuses={statuses} target={start} plant={plant} />
      <p>Or a response of your own:</p>
      <FaultForm start={start} own={given} plant={plant} submit="Use this response" />
    </div>
  );
}

function toFault({ operationId, url, path, method, status }: Exchange): Fault {
  const { search } = new URL(url, location.origin);
  const query = Object.fromEntries(new URLSearchParams(search));
  const below = path.slice((about.value?.basePath ?? '').length);
  return {
    ...(operationId === undefined ? {} : { operationId }),
    when: { method, path: below, ...(search === '' ? {} : { query }) },
    effect: { status: status >= 400 && status < 600 ? status : 500 },
    times: 1,
  };
}
