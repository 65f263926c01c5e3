import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toCopied, toCurl, toFetch, toVitest, type Copied } from '../copy-as.js';
import { CopyButton } from '../parts/copy-button.js';
import { Pending, Status, useData, formatDuration, formatTime, QuietButton, Button } from '../parts/panel.js';
import { about, ask, attempt, go, link, world } from '../state.js';
import type { Exchange, Fault } from '../types.js';
import { rows } from '../feed.js';
import { pickOther } from './compare-parts.js';
import { AtOnce, FaultForm, changeFaults, useFaults } from '../behaviour/faults.js';
import { describeEffect, describeTarget } from '../describe-fault.js';
import { verdictOf } from './filter.js';
import { Body, ContractLines } from './body.js';

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
        <QuietButton text="Close" act={close} />
      </div>
      <Pending of={loaded} />
      {data === undefined || problem !== undefined ? null : (
        <>
          <p class="line">
            <b>{data.method}</b> <code>{data.url}</code> <Status status={data.status} />
          </p>
          <p class="hint">
            {formatTime(data.time)} · {formatDuration(data.duration)}
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

type ActionsProps = { id: number; exchange: Exchange; answer: () => void; isAnswering: boolean };

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
  const isOutside = exchange.operationId === undefined;
  // The other exchange is chosen in the comparison.
  const other = pickOther(rows.value, id);
  return (
    <div class="actions">
      <Button text="Send again" act={() => attempt(again, 'Sent again')} />
      <Button text="Edit and send again" act={() => go(`send/again/${id}`)} />
      <Button text="Respond to this with…" aria-expanded={isAnswering} disabled={isOutside} act={answer} />
      <Button text="Compare with…" disabled={other === undefined} act={() => go(`exchanges/${id}-${other}`)} />
      <CopyButton label="Copy as curl" text={() => toCurl(copied())} />
      <CopyButton label="Copy as fetch" text={() => toFetch(copied())} />
      <CopyButton label="Copy as vitest test" text={test} />
    </div>
  );
}

const TITLES = {
  ok: 'Request and response are valid',
  fault: 'An injected fault changed this response',
  client: 'The client is at fault',
  mock: 'The mock is at fault',
} as const;

export function Judgement({ exchange }: { exchange: Exchange }): JSX.Element {
  const { reason, violations, excerpts, notes, crash, faults } = exchange;
  const verdict = verdictOf({ ...exchange, faults: faults.length });
  return (
    <div class={`judgement ${verdict}`}>
      <p class="judgement-title">{TITLES[verdict]}</p>
      {faults.length === 0 ? null : <Struck ids={faults} />}
      {violations.length === 0 && reason !== undefined && verdict !== 'fault' ? <p>{reason}</p> : null}
      {violations.map(({ message, contract }, index) => (
        <div class="violation" key={index}>
          <p>{message}</p>
          {excerpts[index] ? (
            <ContractLines excerpt={excerpts[index]} />
          ) : (
            <p class="hint">{`${contract.file}:${contract.line}`}</p>
          )}
        </div>
      ))}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {crash === undefined ? null : <p>{crash}</p>}
    </div>
  );
}

function Struck({ ids }: { ids: readonly string[] }): JSX.Element {
  const { faults } = useFaults();
  return (
    <ul class="struck">
      {ids.map((id) => {
        const fault = faults.find((each) => each.id === id);
        return (
          <li key={id}>
            <a href={link('behaviour/faults')}>{id}</a>
            {fault === undefined ? ' was removed since' : `: ${describeEffect(fault)} · ${describeTarget(fault)}`}
          </li>
        );
      })}
    </ul>
  );
}

type HalfProps = { title: string; message: Exchange['request']; exchange: Exchange; side: 'client' | 'mock' };

export function Half({ title, message, exchange, side }: HalfProps): JSX.Element {
  const marks = exchange.verdict === side ? exchange.violations : [];
  const headers = Object.entries(message.headers);
  const elsewhere = marks.filter(({ part }) => part !== 'body');
  return (
    <section class="half" aria-label={title}>
      <h3>{title}</h3>
      {elsewhere.map((mark) => (
        <p class="mark" key={mark.at}>
          {mark.message.startsWith(mark.at) ? null : <code>{mark.at} </code>}
          {mark.message}
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

function AnswerNext({ exchange, done }: { exchange: Exchange; done: () => void }): JSX.Element {
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
