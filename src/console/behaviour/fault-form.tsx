import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { describeTarget, toFlag, toLibraryCall } from '../describe-fault.js';
import { Choose, Form, Input, Submit } from '../parts/form.js';
import { SameAs } from '../parts/same-as.js';
import { about } from '../state.js';
import type { Fault } from '../types.js';

const KINDS = {
  status: 'answers with the status',
  delay: 'only waits',
  reset: 'resets the connection',
  truncate: 'ends the body halfway',
  invalidJson: 'sends no JSON',
  breakContract: 'breaks the contract',
} as const;

type Kind = keyof typeof KINDS;

interface Draft {
  operationId: string;
  kind: Kind;
  status: string;
  delay: string;
  times: string;
  percent: string;
}

interface Props {
  start: Fault;
  plant: (fault: Fault) => Promise<void>;
  submit: string;
}

/** What happens, to which requests, and how often. It keeps a condition with which it was opened. */
export function FaultForm({ start, plant, submit }: Props): JSX.Element {
  const [draft, setDraft] = useState<Draft>(() => toDraft(start));
  const field = (name: keyof Draft): { value: string; set: (value: string) => void } => ({
    value: draft[name],
    set: (value) => setDraft({ ...draft, [name]: value }),
  });
  const fault = toFault(draft, start);
  const operations = about.value?.operations.map(({ id }) => [id, id] as const) ?? [];
  return (
    <Form submit={() => plant(fault)}>
      {start.when === undefined ? null : <p class="hint">For {describeTarget(withoutTimes(start))}</p>}
      <div class="fields-row">
        <Choose
          label="Operation"
          {...field('operationId')}
          options={[['', 'every operation'], ...operations]}
          disabled={start.when !== undefined}
        />
        <Choose label="What happens" {...field('kind')} options={Object.entries(KINDS)} />
        {draft.kind === 'status' ? (
          <Input label="Status" type="number" min={400} max={599} required {...field('status')} />
        ) : null}
        <Input label="Wait, ms" type="number" min={0} max={86_400_000} placeholder="0" {...field('delay')} />
        <Input label="Times" type="number" min={1} max={1_000_000} placeholder="no end" {...field('times')} />
        <Input label="Share, %" type="number" min={1} max={100} placeholder="100" {...field('percent')} />
        <Submit>{submit}</Submit>
      </div>
      <SameAs flag={toFlag(fault)} library={toLibraryCall(fault)} admin={{ call: 'POST /faults', body: fault }} />
    </Form>
  );
}

function toDraft({ operationId = '', effect, times, rate }: Fault): Draft {
  const kind = (Object.keys(KINDS) as Kind[]).find((each) => effect[each] !== undefined) ?? 'status';
  return {
    operationId,
    kind,
    status: String(effect.status ?? 503),
    delay: typeof effect.delay === 'number' ? String(effect.delay) : '',
    times: times === undefined ? '' : String(times),
    percent: rate === undefined ? '' : String(rate * 100),
  };
}

function toFault({ operationId, kind, status, delay, times, percent }: Draft, { when }: Fault): Fault {
  const what = kind === 'status' ? { status: Number(status) } : kind === 'delay' ? {} : { [kind]: true };
  const wait = kind === 'delay' || (delay !== '' && delay !== '0') ? { delay: Number(delay) } : {};
  return {
    ...(operationId === '' ? {} : { operationId }),
    ...(when === undefined ? {} : { when }),
    effect: { ...what, ...wait },
    ...(times === '' ? {} : { times: Number(times) }),
    ...(percent === '' || percent === '100' ? {} : { rate: Number(percent) / 100 }),
  };
}

function withoutTimes({ times: _times, ...fault }: Fault): Fault {
  return fault;
}
