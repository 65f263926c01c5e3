import type { JSX } from 'preact';
import { Status, VERDICTS } from '../parts/states.js';
import type { Row } from '../types.js';

const CLASSES = ['time', 'method', 'path', 'code', 'took', 'operation', 'verdict'];

export function Columns({ names }: { names: string[] }): JSX.Element {
  return (
    <>
      {names.map((name, index) => (
        <span key={name} class={CLASSES[index] ?? ''}>
          {name}
        </span>
      ))}
    </>
  );
}

/** An exchange in the list. If it was refused, its row says why. */
export function Line({ row }: { row: Row }): JSX.Element {
  const { time, method, url, status, duration, operationId, verdict, reason, faults } = row;
  return (
    <>
      <span class="time">{formatTime(time)}</span>
      <span class="method">{method}</span>
      <span class="path" title={url}>
        {url}
      </span>
      <span class="code">
        <Status status={status} />
      </span>
      <span class="took">{formatDuration(duration)}</span>
      <span class={`operation${reason === undefined ? '' : ' gives-way'}`}>{operationId ?? '–'}</span>
      <span class={`verdict ${verdict}`} title={reason}>
        <span class="side">{verdict !== 'ok' ? VERDICTS[verdict] : faults > 0 ? 'on purpose' : 'ok'}</span>
        {reason === undefined ? null : <span class="why">{reason}</span>}
      </span>
    </>
  );
}

export function formatTime(time: number): string {
  return new Date(time).toTimeString().slice(0, 8);
}

export function formatDuration(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
