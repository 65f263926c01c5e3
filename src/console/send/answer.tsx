import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { toCopied, toCurl, toFetch, toVitest } from '../copy-as.js';
import { Half, Judgement } from '../exchanges/detail.js';
import { formatDuration } from '../exchanges/line.js';
import { Snippet } from '../parts/copy-button.js';
import { Status } from '../parts/states.js';
import { about, world } from '../state.js';
import type { Answered } from './sending.js';
import type { Written } from './model.js';

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
