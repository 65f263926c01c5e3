import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { describeTarget, toFlag, toLibraryCall } from '../describe-fault.js';
import { Choose, Form, Input, Submit } from '../parts/form.js';
import { SameAs } from '../parts/same-as.js';
import { about } from '../state.js';
import { toAnswer, toAnswerDraft, type AnswerDraft } from './answer-draft.js';
import { AnswerFields } from './answer-fields.js';
import type { Fault, PlantedAnswer } from '../types.js';

const KINDS = {
  status: 'responds with a status',
  answer: 'responds with your response',
  delay: 'only delays',
  reset: 'resets the connection',
  truncate: 'cuts the body off halfway',
  invalidJson: 'sends a body that is not JSON',
  breakContract: 'sends a body that breaks the contract',
} as const;

type Kind = keyof typeof KINDS;

interface Draft {
  operationId: string;
  kind: Kind;
  status: string;
  delay: string;
  times: string;
  percent: string;
  answer: AnswerDraft;
}

interface Props {
  start: Fault;
  /** What an answer of one's own begins as. */
  own?: PlantedAnswer;
  plant: (fault: Fault) => Promise<void>;
  submit: string;
}

/** What happens, to which requests, and how often. It keeps a condition with which it was opened. */
export function FaultForm({ start, own, plant, submit }: Props): JSX.Element {
  const [draft, setDraft] = useState<Draft>(() => toDraft(start, own));
  const field = (name: Exclude<keyof Draft, 'answer'>): { value: string; set: (value: string) => void } => ({
    value: draft[name],
    set: (value) => setDraft({ ...draft, [name]: value }),
  });
  const choose = (kind: string): void =>
    setDraft({
      ...draft,
      kind: kind as Kind,
      ...(kind === 'answer' && own?.status ? { status: String(own.status) } : {}),
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
        <Choose label="Kind of fault" value={draft.kind} set={choose} options={Object.entries(KINDS)} />
        {draft.kind === 'status' || draft.kind === 'answer' ? <Status kind={draft.kind} {...field('status')} /> : null}
        <Input label="Delay, ms" type="number" min={0} max={86_400_000} placeholder="0" {...field('delay')} />
        <Input
          label="How many times"
          type="number"
          min={1}
          max={1_000_000}
          placeholder="no limit"
          {...field('times')}
        />
        <Input label="Probability, %" type="number" min={1} max={100} placeholder="100" {...field('percent')} />
        <Submit>{submit}</Submit>
      </div>
      {draft.kind === 'answer' ? (
        <AnswerFields
          draft={draft.answer}
          set={(answer) => setDraft({ ...draft, answer })}
          operation={about.value?.operations.find(({ id }) => id === draft.operationId)}
        />
      ) : null}
      <SameAs flag={toFlag(fault)} library={toLibraryCall(fault)} admin={{ call: 'POST /faults', body: fault }} />
    </Form>
  );
}

/** An answer of one's own may be a success. */
function Status({ kind, ...rest }: { kind: Kind; value: string; set: (value: string) => void }): JSX.Element {
  return <Input label="Status" type="number" min={kind === 'answer' ? 200 : 400} max={599} required {...rest} />;
}

function toDraft({ operationId = '', effect, times, rate }: Fault, own?: PlantedAnswer): Draft {
  const kind = (Object.keys(KINDS) as Kind[]).find((each) => effect[each] !== undefined) ?? 'status';
  return {
    operationId,
    kind,
    status: String(effect.status ?? effect.answer?.status ?? 503),
    delay: typeof effect.delay === 'number' ? String(effect.delay) : '',
    times: times === undefined ? '' : String(times),
    percent: rate === undefined ? '' : String(rate * 100),
    answer: toAnswerDraft(effect.answer ?? own),
  };
}

function toFault({ operationId, kind, status, delay, times, percent, answer }: Draft, { when }: Fault): Fault {
  const what = describeWhat(kind, status, answer);
  const wait = kind === 'delay' || (delay !== '' && delay !== '0') ? { delay: Number(delay) } : {};
  return {
    ...(operationId === '' ? {} : { operationId }),
    ...(when === undefined ? {} : { when }),
    effect: { ...what, ...wait },
    ...(times === '' ? {} : { times: Number(times) }),
    ...(percent === '' || percent === '100' ? {} : { rate: Number(percent) / 100 }),
  };
}

function describeWhat(kind: Kind, status: string, answer: AnswerDraft): Fault['effect'] {
  if (kind === 'status') return { status: Number(status) };
  if (kind === 'answer') return { answer: toAnswer(status, answer) };
  return kind === 'delay' ? {} : { [kind]: true };
}

function withoutTimes({ times: _times, ...fault }: Fault): Fault {
  return fault;
}
