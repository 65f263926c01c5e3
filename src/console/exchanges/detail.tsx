import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toCopied, toCurl, toFetch, toVitest, type Copied } from '../copy-as.js';
import { CopyButton } from '../parts/copy-button.js';
import { Pending, Status } from '../parts/states.js';
import { useData } from '../parts/use-data.js';
import { about, ask, attempt, go, world } from '../state.js';
import type { Excerpt, Exchange, Violation } from '../types.js';
import { AnswerNext } from './answer-next.js';
import { Body } from './body.js';
import { CompareButton } from './compare-button.js';
import { ContractLines } from './contract-lines.js';
import { formatDuration, formatTime } from './line.js';

/** One exchange: what was sent, what was answered, what breaks the contract, and the lines that say so. */
export function Detail({ id }: { id: number }): JSX.Element {
  const loaded = useData(() => ask<Exchange>(`GET /console/exchanges/${id}`), [id, world.value]);
  const { data, problem } = loaded;
  const heading = useRef<HTMLHeadingElement>(null);
  const [isAnswering, setAnswering] = useState(false);
  useEffect(() => setAnswering(false), [id]);
  const close = (): void => {
    go('exchanges');
    document.querySelector<HTMLElement>('.list')?.focus();
  };
  return (
    <section class="detail" aria-label="Exchange" onKeyDown={(event) => (event.key === 'Escape' ? close() : undefined)}>
      <div class="bar">
        <h2 ref={heading}>{data === undefined ? `Exchange ${id}` : (data.operationId ?? 'Outside the contract')}</h2>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </div>
      <Pending of={loaded} />
      {data === undefined || problem !== undefined ? null : (
        <>
          <p class="line">
            <b>{data.method}</b> <code>{data.url}</code> <Status status={data.status} />
          </p>
          <p class="hint">
            {formatTime(data.time)} · {formatDuration(data.duration)}
            {data.faults.length > 0 ? ` · injected fault: ${data.faults.join(', ')}` : ''}
          </p>
          <Actions id={id} exchange={data} answer={() => setAnswering(!isAnswering)} isAnswering={isAnswering} />
          {isAnswering ? <AnswerNext exchange={data} done={() => setAnswering(false)} /> : null}
          <Judgement exchange={data} />
          <Half title="Request" message={data.request} exchange={data} side="client" />
          <Half title="Response" message={data.response} exchange={data} side="mock" />
          {data.excerpt === undefined ? null : (
            <details>
              <summary>The operation in the contract</summary>
              <ContractLines excerpt={data.excerpt} />
            </details>
          )}
        </>
      )}
    </section>
  );
}

interface ActionsProps {
  id: number;
  exchange: Exchange;
  answer: () => void;
  isAnswering: boolean;
}

function Actions({ id, exchange, answer, isAnswering }: ActionsProps): JSX.Element {
  const { basePath = '', mountPath = '', operations = [] } = about.value ?? {};
  const operation = operations.find((each) => each.id === exchange.operationId) ?? operations[0];
  const copied = (): Copied => toCopied(exchange, location.origin, operation?.credentials ?? {});
  const again = async (): Promise<void> => {
    const sent = await ask<{ id: number }>(`POST /console/exchanges/${id}/again`);
    go(`exchanges/${sent.id}`);
  };
  const test = (): string => {
    const { status, operationId, verdict, world: name } = exchange;
    const base = `${mountPath}${name === 'default' ? '' : `/worlds/${name}`}${basePath}`;
    return toVitest(copied(), { status, operationId, base, isClientAtFault: verdict === 'client' });
  };
  return (
    <div class="actions">
      <button type="button" onClick={() => void attempt(again, 'Sent again')}>
        Send again
      </button>
      <button type="button" onClick={() => go(`send/again/${id}`)}>
        Edit and send again
      </button>
      <button type="button" onClick={answer} aria-expanded={isAnswering} disabled={exchange.operationId === undefined}>
        Respond to this with…
      </button>
      <CompareButton id={id} />
      <CopyButton label="Copy as curl" text={() => toCurl(copied())} />
      <CopyButton label="Copy as fetch" text={() => toFetch(copied())} />
      <CopyButton label="Copy as vitest test" text={test} />
    </div>
  );
}

const TITLES = {
  ok: 'Request and response are valid',
  client: 'The client is at fault',
  mock: 'The mock is at fault',
} as const;

export function Judgement({ exchange }: { exchange: Exchange }): JSX.Element {
  const { verdict, reason, violations, excerpts, notes, crash } = exchange;
  return (
    <div class={`judgement ${verdict}`}>
      <p class="judgement-title">{TITLES[verdict]}</p>
      {violations.length === 0 && reason !== undefined ? <p>{reason}</p> : null}
      {violations.map((violation, index) => (
        <Broken key={index} violation={violation} excerpt={excerpts[index] ?? undefined} />
      ))}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {crash === undefined ? null : <p>{crash}</p>}
    </div>
  );
}

function Broken({ violation, excerpt }: { violation: Violation; excerpt: Excerpt | undefined }): JSX.Element {
  const { message, contract } = violation;
  return (
    <div class="violation">
      <p>{message}</p>
      {excerpt === undefined ? (
        <p class="hint">
          {contract.file}:{contract.line}
        </p>
      ) : (
        <ContractLines excerpt={excerpt} />
      )}
    </div>
  );
}

interface HalfProps {
  title: string;
  message: Exchange['request'];
  exchange: Exchange;
  side: 'client' | 'mock';
}

export function Half({ title, message, exchange, side }: HalfProps): JSX.Element {
  const marks = exchange.verdict === side ? exchange.violations : [];
  const headers = Object.entries(message.headers);
  const elsewhere = marks.filter(({ part }) => part !== 'body');
  return (
    <section class="half" aria-label={title}>
      <h3>{title}</h3>
      {elsewhere.map((mark) => (
        <p class="mark" key={mark.at}>
          <code>{mark.at}</code> {mark.message}
        </p>
      ))}
      <details>
        <summary>
          {headers.length} header field{headers.length === 1 ? '' : 's'}
        </summary>
        <dl class="fields">
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Body
        message={message}
        marks={marks.filter(({ part }) => part === 'body')}
        label={`Body of the ${title.toLowerCase()}`}
      />
    </section>
  );
}
