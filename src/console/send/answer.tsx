import type { JSX, ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toCopied, toCurl, toFetch, toVitest } from '../copy-as.js';
import { Half, Judgement } from '../exchanges/detail.js';
import { Snippet } from '../parts/copy-button.js';
import { Status, formatDuration, formatTime, QuietButton } from '../parts/panel.js';
import { about, link, world, attempt } from '../state.js';
import { type Written, nameField, type FormParameter } from './to-request.js';
import { call } from '../api.js';
import type { Exchange, Violation } from '../types.js';
import { findLineOf } from './suggest.js';
import { signal } from '@preact/signals';
import { rows } from '../feed.js';
import { ReferenceOf } from './reference.js';
import { SavedRequests } from './saved.js';

/** The status of the last response. A request that was changed since is told apart: this is not the response to it. */
function Came({ answered, isStale }: { answered: Answered | undefined; isStale: boolean }): JSX.Element {
  const came = useRef<HTMLParagraphElement>(null);
  // The focus stays where one sends; on a phone, what came is below.
  useEffect(() => {
    if (answered !== undefined) came.current?.scrollIntoView({ block: 'nearest' });
  }, [answered]);
  return (
    <p role="status" class={isStale ? 'came is-stale' : 'came'} ref={came}>
      {answered === undefined ? null : (
        <>
          <Status status={answered.exchange.status} /> {answered.exchange.status === 0 ? '' : answered.phrase}{' '}
          <span class="hint">in {formatDuration(answered.exchange.duration)}</span>
          {isStale ? <span class="tag">stale: the request was changed since</span> : null}
        </>
      )}
    </p>
  );
}

function Answer({ answered: { id, world: name, exchange } }: { answered: Answered }): JSX.Element {
  return (
    <section class="half" aria-label="Result">
      <a href={link(`exchanges/${id}`, { name })}>Exchange {id} in the journal</a>
      <Judgement exchange={exchange} />
      <Half title="Response" message={exchange.response} exchange={exchange} side="mock" />
      <details open={exchange.verdict === 'client'}>
        <summary>Request</summary>
        <Half title="Request" message={exchange.request} exchange={exchange} side="client" />
      </details>
    </section>
  );
}

/** The same request for a terminal, a program and a test. */
export function SameRequest({ written, answered }: { written: Written; answered: Answered | undefined }): JSX.Element {
  const { basePath = '', mountPath = '', operations = [] } = about.value ?? {};
  const { method, target, headers, body } = written;
  // What is redacted is what the mock shows of its keys, or left out.
  const credentials = operations.find((each) => Object.keys(each.credentials).length > 0)?.credentials ?? {};
  const copied = toCopied({ method, url: target, request: { headers, body } }, location.origin, credentials);
  const { status, operationId, verdict } = answered?.exchange ?? { status: 200, operationId: undefined, verdict: 'ok' };
  const expected = { status, operationId, base: `${mountPath}${basePath}`, isClientAtFault: verdict === 'client' };
  return (
    <details class="same-as">
      <summary>As code</summary>
      <Snippet label="curl" code={toCurl(copied)} />
      <Snippet label="fetch" code={toFetch(copied)} />
      {answered === undefined ? null : <Snippet label="vitest" code={toVitest(copied, expected)} />}
    </details>
  );
}

export interface Answered {
  id: number;
  /** The world that it was sent to, which a header field may name. */
  world: string;
  phrase: string;
  exchange: Exchange;
  written: Written;
}

interface Sending {
  answered: Answered | undefined;
  isSending: boolean;
  send: (written: Written, like: number | undefined) => Promise<void>;
}

export function useSending(): Sending {
  const [answered, setAnswered] = useState<Answered | undefined>(undefined);
  const [isSending, setSending] = useState(false);
  const last = useRef(0);
  const send = async (written: Written, like: number | undefined): Promise<void> => {
    const turn = (last.current += 1);
    setSending(true);
    await attempt(async () => {
      const body = { ...written, ...(like === undefined ? {} : { like }) };
      const sent = await call<Omit<Answered, 'exchange' | 'written'>>('POST /console/send', {
        world: world.value,
        body,
      });
      const exchange = await call<Exchange>(`GET /console/exchanges/${sent.id}`, { world: sent.world });
      // The mock may answer an earlier one later.
      if (turn === last.current) setAnswered({ ...sent, exchange, written });
    });
    if (turn === last.current) setSending(false);
  };
  return { answered, isSending, send };
}

const listBroken = (answered: Answered | undefined): readonly Violation[] =>
  answered?.exchange.verdict === 'client' ? answered.exchange.violations : [];

export function marksOfField(parameter: FormParameter, answered: Answered | undefined): string[] {
  const name = nameField(parameter);
  return listBroken(answered)
    .filter(({ at }) => at === name || at.startsWith(`${name}/`))
    .map(({ message }) => message);
}

export function marksOfBody(text: string, answered: Answered | undefined, hasLines: boolean): string[] {
  return listBroken(answered)
    .filter(({ part }) => part === 'body')
    .map(({ pointer, message }) => (hasLines ? `Line ${findLineOf(text, pointer)}: ${message}` : message));
}

const SIDES = { reference: 'Reference', response: 'Response', history: 'History', saved: 'Saved' } as const;

/** What is beside the form. It stays when another operation is chosen, so that one can look through the reference. */
const side = signal<keyof typeof SIDES>('reference');

interface SidesProps {
  operationId: string | undefined;
  /** What the form says, to be saved; `undefined` where there is no form. */
  draft?: string;
  written: Written;
  answered: Answered | undefined;
  children: ComponentChildren;
}

export function Sides({ operationId, draft, written, answered, children }: SidesProps): JSX.Element {
  useEffect(() => {
    if (answered !== undefined) side.value = 'response';
  }, [answered]);
  const shown = answered === undefined && side.value === 'response' ? 'reference' : side.value;
  const isStale = answered !== undefined && JSON.stringify(answered.written) !== JSON.stringify(written);
  const names = Object.entries(SIDES).filter(
    ([id]) => (id !== 'response' || answered !== undefined) && (id !== 'saved' || draft !== undefined),
  );
  return (
    <div class="sides">
      <div class="beside-form">{children}</div>
      <aside class="beside" aria-label="About this request">
        <Came answered={answered} isStale={isStale} />
        <div class="tabs" role="group" aria-label="Shown beside the request">
          {names.map(([id, name]) => (
            <QuietButton
              text={name}
              key={id}
              aria-pressed={shown === id}
              act={() => (side.value = id as keyof typeof SIDES)}
            />
          ))}
        </div>
        {shown === 'response' && answered !== undefined ? <Answer answered={answered} /> : null}
        {shown === 'reference' && operationId !== undefined ? <ReferenceOf id={operationId} /> : null}
        {shown === 'history' ? <History operationId={operationId} /> : null}
        {shown === 'saved' && operationId !== undefined && draft !== undefined ? (
          <SavedRequests operationId={operationId} draft={draft} />
        ) : null}
      </aside>
    </div>
  );
}

const MOST = 30;

function History({ operationId }: { operationId: string | undefined }): JSX.Element {
  const found = rows.value.filter((row) => row.operationId === operationId).toReversed();
  if (found.length === 0) return <p class="hint">No request of this operation is in the journal.</p>;
  return (
    <ul class="items" aria-label="History">
      {found.slice(0, MOST).map(({ id, time, method, url, status }) => (
        <li key={id}>
          <span class="item-main">
            <span>
              <Status status={status} /> <b>{method}</b> <code>{url}</code>
            </span>
            <span class="hint">{formatTime(time)}</span>
          </span>
          <a href={link(`send/again/${id}`)}>Edit and send again</a>
          <a href={link(`exchanges/${id}`)}>Exchange {id}</a>
        </li>
      ))}
    </ul>
  );
}
