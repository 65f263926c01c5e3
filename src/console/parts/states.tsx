import type { ComponentChildren, JSX } from 'preact';
import { connection } from '../feed.js';
import type { Loaded } from './use-data.js';

/** What a panel without content shows. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Problem({ text }: { text: string | undefined }): ComponentChildren {
  return text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** What a panel shows before its data: that they are on their way, or why they are not. */
export function Pending({ of: { data, problem, reload } }: { of: Loaded<unknown> }): ComponentChildren {
  // The frame says so of all panels at once, and loads them again.
  if (problem !== undefined && connection.value === 'lost') return null;
  if (problem === undefined) return data === undefined ? <p class="hint is-pending">Loading…</p> : null;
  return (
    <div class="problem" role="alert">
      {problem}{' '}
      <button type="button" class="quiet" onClick={() => void reload()}>
        Try again
      </button>
    </div>
  );
}

const TONES = ['reset', '', 'good', 'good', 'warn', 'bad'];

export function Status({ status }: { status: number }): JSX.Element {
  return <span class={`status ${TONES[Math.floor(status / 100)] ?? ''}`}>{status === 0 ? 'reset' : status}</span>;
}

export const VERDICTS = { ok: 'valid', client: 'client at fault', mock: 'mock at fault' } as const;
