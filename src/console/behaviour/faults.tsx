import type { JSX } from 'preact';
import { Card, QuietButton, Pending, Item, useData, type Loaded, Button } from '../parts/panel.js';
import type { Fault, PlantedAnswer, Operation, PlantedFault } from '../types.js';
import { useState } from 'preact/hooks';
import * as describe from '../describe-fault.js';
import { Choose, Form, Input, Submit, Check, Write } from '../parts/form.js';
import { SameAs } from '../parts/same-as.js';
import { link, about, ask, attempt, world } from '../state.js';
import { signal } from '@preact/signals';
import { changes, injectedNow } from '../feed.js';

const NEW: Fault = { effect: { status: 503 } };

export function FaultsPanel(): JSX.Element {
  const { faults, loaded } = useFaults();
  const removeAll = (): unknown => changeFaults('DELETE /faults', 'All faults are removed');
  const clear = <QuietButton text="Remove all faults" disabled={faults.length === 0} act={removeAll} />;
  return (
    <Card id="faults" title="Fault injection" action={clear}>
      <Pending of={loaded} />
      {loaded.data?.length === 0 ? <p class="hint">No faults.</p> : null}
      <FaultItems faults={faults} />
      <FaultForm start={NEW} submit="Add the fault" plant={plantFault} />
    </Card>
  );
}

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
  answer: describe.AnswerDraft;
}

type FaultFormProps = { start: Fault; own?: PlantedAnswer; plant: (fault: Fault) => Promise<void>; submit: string };

export function FaultForm({ start, own, plant, submit }: FaultFormProps): JSX.Element {
  const [draft, setDraft] = useState<Draft>(() => toDraft(start, own));
  const field = (name: Exclude<keyof Draft, 'answer'>): { value: string; set: (value: string) => void } => ({
    value: draft[name],
    set: (value) => setDraft({ ...draft, [name]: value }),
  });
  const choose = (kind: string): void => {
    const status = kind === 'answer' && own?.status ? { status: String(own.status) } : {};
    setDraft({ ...draft, kind: kind as Kind, ...status });
  };
  const { times: _, ...lasting } = start;
  // An answer of one's own may be a success.
  const isOwn = draft.kind === 'answer';
  const number = (min: number, max: number) => ({ type: 'number', min, max }) as const;
  const fault = toFault(draft, start);
  const operations = about.value?.operations.map(({ id }) => [id, id] as const) ?? [];
  return (
    <Form submit={() => plant(fault)}>
      {start.when === undefined ? null : <p class="hint">For {describe.describeTarget(lasting)}</p>}
      <div class="fields-row">
        <Choose
          label="Operation"
          {...field('operationId')}
          options={[['', 'every operation'], ...operations]}
          disabled={start.when !== undefined}
        />
        <Choose label="Kind of fault" value={draft.kind} set={choose} options={Object.entries(KINDS)} />
        {draft.kind === 'status' || isOwn ? (
          <Input label="Status" {...number(isOwn ? 200 : 400, 599)} required {...field('status')} />
        ) : null}
        <Input label="Delay, ms" {...number(0, 86_400_000)} placeholder="0" {...field('delay')} />
        <Input label="How many times" {...number(1, 1_000_000)} placeholder="no limit" {...field('times')} />
        <Input label="Probability, %" {...number(1, 100)} placeholder="100" {...field('percent')} />
        <Submit>{submit}</Submit>
      </div>
      {isOwn ? (
        <AnswerFields
          draft={draft.answer}
          set={(answer) => setDraft({ ...draft, answer })}
          operation={about.value?.operations.find(({ id }) => id === draft.operationId)}
        />
      ) : null}
      <SameAs
        flag={describe.toFlag(fault)}
        library={describe.toLibraryCall(fault)}
        admin={{ call: 'POST /faults', body: fault }}
      />
    </Form>
  );
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
    answer: describe.toAnswerDraft(effect.answer ?? own),
  };
}

function toFault({ operationId, kind, status, delay, times, percent, answer }: Draft, { when }: Fault): Fault {
  const effects: Partial<Record<Kind, Fault['effect']>> = {
    status: { status: Number(status) },
    answer: { answer: describe.toAnswer(status, answer) },
    delay: {},
  };
  const wait = kind === 'delay' || (delay !== '' && delay !== '0') ? { delay: Number(delay) } : {};
  return {
    ...(operationId === '' ? {} : { operationId }),
    ...(when === undefined ? {} : { when }),
    effect: { ...(effects[kind] ?? { [kind]: true }), ...wait },
    ...(times === '' ? {} : { times: Number(times) }),
    ...(percent === '' || percent === '100' ? {} : { rate: Number(percent) / 100 }),
  };
}

const ALTHOUGH = 'Send it although it breaks the contract';

type ResponseFieldsProps = {
  draft: describe.AnswerDraft;
  set: (draft: describe.AnswerDraft) => void;
  operation: Operation | undefined;
};

function AnswerFields({ draft, set, operation }: ResponseFieldsProps): JSX.Element {
  const looksLikeJson = /^\s*[[{]/.test(draft.body) && typeof describe.readBody(draft.body) === 'string';
  return (
    <div class="answer-fields">
      <p class="hint">
        {operation === undefined
          ? 'Choose the operation: its contract lists the responses.'
          : `The contract has: ${operation.statuses.join(', ')}`}
      </p>
      <Write
        label="Header fields, one per line"
        rows={2}
        placeholder="Retry-After: 5"
        value={draft.headers}
        set={(headers) => set({ ...draft, headers })}
      />
      <Write label="Body" rows={8} value={draft.body} set={(body) => set({ ...draft, body })} />
      {looksLikeJson ? <p class="hint">This is not JSON; it would be sent as text.</p> : null}
      <Check label={ALTHOUGH} on={draft.breaks} set={(breaks) => set({ ...draft, breaks })} />
    </div>
  );
}

function FaultItems({ faults }: { faults: readonly PlantedFault[] }): JSX.Element {
  const remove = ({ id }: PlantedFault): unknown => changeFaults(`DELETE /faults/${id}`, 'The fault is removed');
  return (
    <ul class="items">
      {faults.map((fault) => (
        <Item
          key={fault.id}
          name={describe.describeEffect(fault)}
          about={<span class="hint">{describe.describeTarget(fault)}</span>}
        >
          <span class="hint">{describeHits(fault)}</span>
          <QuietButton text="Remove" of={fault.id} act={() => remove(fault)} />
        </Item>
      ))}
    </ul>
  );
}

function describeHits({ hits, times }: PlantedFault): string {
  if (times !== undefined) return `${hits} of ${times} times so far`;
  return hits === 0 ? 'not yet' : hits === 1 ? 'once so far' : `${hits} times so far`;
}

const SLOW_MS = 2000;
/** Some operations document a status for everything. */
const MOST_STATUSES = 6;
const USUAL = [500, 503];

type AtOnceProps = { statuses: readonly string[]; target: Omit<Fault, 'effect'>; plant: (fault: Fault) => unknown };

export function AtOnce({ statuses, target, plant }: AtOnceProps): JSX.Element {
  const refusals = statuses.map(Number).filter((status) => status >= 400 && !USUAL.includes(status));
  const effects: [string, Fault['effect']][] = [
    ...[...refusals.slice(0, MOST_STATUSES), ...USUAL].map((status): [string, Fault['effect']] => {
      return [`Respond with ${status}`, { status }];
    }),
    [`Wait ${SLOW_MS / 1000} s`, { delay: SLOW_MS }],
    ['Reset the connection', { reset: true }],
  ];
  return (
    <div class="actions">
      {effects.map(([name, effect]) => (
        <Button text={name} key={name} act={() => plant({ ...target, effect })} />
      ))}
    </div>
  );
}

export function OnPurpose({ operationId }: { operationId: string }): JSX.Element {
  const { faults } = useFaults();
  const set = faults.filter((fault) => fault.operationId === undefined || fault.operationId === operationId);
  const statuses = about.value?.operations.find(({ id }) => id === operationId)?.statuses ?? [];
  return (
    <fieldset>
      <legend>Fault injection</legend>
      <AtOnce statuses={statuses} target={{ operationId }} plant={plantFault} />
      {set.length === 0 ? null : <FaultItems faults={set} />}
      <p class="hint">
        This applies to all clients until you remove it. More faults are under{' '}
        <a href={link('behaviour/faults')}>Behaviour</a>.
      </p>
    </fieldset>
  );
}

/** Increased by each change that a panel makes, so that the other panel sees it. */
const revision = signal(0);

export function useFaults(): { faults: PlantedFault[]; loaded: Loaded<PlantedFault[]> } {
  const on = [world.value, revision.value, changes.value, injectedNow.value];
  const loaded = useData(() => ask<PlantedFault[]>('GET /faults'), on);
  return { faults: loaded.data ?? [], loaded };
}

export async function changeFaults(call: string, done: string, body?: Fault): Promise<boolean> {
  const isDone = await attempt(() => ask(call, body), done);
  revision.value += 1;
  return isDone;
}

async function plantFault(fault: Fault): Promise<void> {
  await changeFaults('POST /faults', 'The fault is added', fault);
}
