import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toCopied, toCurl, toFetch, toVitest } from '../copy-as.js';
import { Half, Judgement } from '../exchanges/detail.js';
import { formatDuration } from '../exchanges/exchanges.js';
import { Snippet } from '../parts/copy-button.js';
import { Status } from '../parts/panel.js';
import { about, world, attempt } from '../state.js';
import { type Written, nameField, type FormParameter } from './to-request.js';
import { call } from '../api.js';
import type { Exchange, Violation } from '../types.js';
import { findLineOf } from './suggest.js';

/** What the request came to, and whether both sides kept the contract. */
export function Answer({ answered }: { answered: Answered | undefined }): JSX.Element {
  const came = useRef<HTMLParagraphElement>(null);
  // The focus stays where one sends; what came shows below it.
  useEffect(() => {
    if (answered !== undefined) came.current?.scrollIntoView({ block: 'nearest' });
  }, [answered]);
  return (
    <section class="half" aria-label="Result">
      <p role="status" class="came" ref={came}>
        {answered === undefined ? null : (
          <>
            <Status status={answered.exchange.status} /> {answered.exchange.status === 0 ? '' : answered.phrase}{' '}
            <span class="hint">in {formatDuration(answered.exchange.duration)}</span>
          </>
        )}
      </p>
      {answered === undefined ? null : (
        <>
          <a
            href={`#exchanges/${answered.id}`}
            onClick={() => {
              world.value = answered.world;
            }}
          >
            Exchange {answered.id} in the journal
          </a>
          <Judgement exchange={answered.exchange} />
          <Half title="Response" message={answered.exchange.response} exchange={answered.exchange} side="mock" />
          <details open={answered.exchange.verdict === 'client'}>
            <summary>Request</summary>
            <Half title="Request" message={answered.exchange.request} exchange={answered.exchange} side="client" />
          </details>
        </>
      )}
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

/** What a request came to. */
export interface Answered {
  id: number;
  /** The world that it was sent to, which a header field may name. */
  world: string;
  /** The reason phrase of the status. */
  phrase: string;
  exchange: Exchange;
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
      const sent = await call<Omit<Answered, 'exchange'>>('POST /console/send', { world: world.value, body });
      const exchange = await call<Exchange>(`GET /console/exchanges/${sent.id}`, { world: sent.world });
      // The mock may answer an earlier one later.
      if (turn === last.current) setAnswered({ ...sent, exchange });
    });
    if (turn === last.current) setSending(false);
  };
  return { answered, isSending, send };
}

/** What the mock said against the last request. */
function listBroken(answered: Answered | undefined): readonly Violation[] {
  return answered?.exchange.verdict === 'client' ? answered.exchange.violations : [];
}

export function marksOfField(parameter: FormParameter, answered: Answered | undefined): string[] {
  const name = nameField(parameter);
  return listBroken(answered)
    .filter(({ at }) => at === name || at.startsWith(`${name}/`))
    .map(({ message }) => message);
}

/** With the line of the text, where it is JSON. */
export function marksOfBody(text: string, answered: Answered | undefined, hasLines: boolean): string[] {
  return listBroken(answered)
    .filter(({ part }) => part === 'body')
    .map(({ pointer, message }) => (hasLines ? `Line ${findLineOf(text, pointer)}: ${message}` : message));
}
