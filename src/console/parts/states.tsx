import type { ComponentChildren, JSX } from 'preact';

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

const TONES = ['reset', '', 'good', 'good', 'warn', 'bad'];

export function Status({ status }: { status: number }): JSX.Element {
  return <span class={`status ${TONES[Math.floor(status / 100)] ?? ''}`}>{status === 0 ? 'reset' : status}</span>;
}

export const VERDICTS = { ok: 'as the contract says', client: 'client at fault', mock: 'mock at fault' } as const;
