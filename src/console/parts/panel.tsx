import { messageOf } from '../exact-json.js';
import type { ButtonHTMLAttributes, ComponentChildren, JSX } from 'preact';
import { connection, files, injectedNow, reconnects } from '../feed.js';
import { ask, attempt, world } from '../state.js';
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';

type CardProps = { id: string; title: ComponentChildren; action?: ComponentChildren; children: ComponentChildren };

/** A section of a panel, with a heading. */
export function Card({ id, title, action, children }: CardProps): JSX.Element {
  return (
    <section class="card" aria-labelledby={id}>
      <div class="bar">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}

interface ButtonProps extends Omit<ButtonHTMLAttributes, 'type' | 'onClick'> {
  text: string;
  act: () => unknown;
  /** What the button acts on, for screen readers. */
  of?: string;
}

export function Button({ text, act, of, ...rest }: ButtonProps): JSX.Element {
  const label = of === undefined ? {} : { 'aria-label': `${text} ${of}` };
  return (
    <button type="button" onClick={() => void act()} {...label} {...rest}>
      {text}
    </button>
  );
}

export const QuietButton = (props: ButtonProps): JSX.Element => <Button class="quiet" {...props} />;

type ItemProps = { name: ComponentChildren; about?: ComponentChildren; children: ComponentChildren };

export function Item({ name, about, children }: ItemProps): JSX.Element {
  return (
    <li>
      <span class="item-main">
        <b>{name}</b>
        {about}
      </span>
      {children}
    </li>
  );
}

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

export function Pending({ of: { data, problem, reload } }: { of: Loaded<unknown> }): ComponentChildren {
  // The frame says so of all panels at once, and loads them again.
  if (problem !== undefined && connection.value === 'lost') return null;
  if (problem === undefined) return data === undefined ? <p class="hint is-pending">Loading…</p> : null;
  return (
    <div class="problem" role="alert">
      {problem} <QuietButton text="Try again" act={reload} />
    </div>
  );
}

const TONES = ['reset', '', 'good', 'good', 'warn', 'bad'];

export const Status = ({ status }: { status: number }): JSX.Element => (
  <span class={`status ${TONES[Math.floor(status / 100)] ?? ''}`}>{status === 0 ? 'reset' : status}</span>
);

export const VERDICTS = {
  ok: 'valid',
  fault: 'injected fault',
  client: 'client at fault',
  mock: 'mock at fault',
} as const;

/** Increased when the user, who may have changed things elsewhere, comes back to the page. */
const returns = signal(0);
addEventListener('focus', () => (returns.value += 1));

/** The state of a request: pending, answered or refused. An answer stays until a newer one arrives. */
export type Loaded<T> = { data: T | undefined; problem: string | undefined; reload: () => Promise<void> };

export function useData<T>(load: () => Promise<T>, on: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({ data: undefined, problem: undefined });
  const read = async (isWanted: () => boolean): Promise<void> => {
    try {
      const data = await load();
      if (isWanted()) setState({ data, problem: undefined });
    } catch (error) {
      const problem = messageOf(error);
      if (isWanted()) setState(({ data }) => ({ data, problem }));
    }
  };
  useEffect(() => {
    let isWanted = true;
    void read(() => isWanted);
    return () => void (isWanted = false);
  }, [...on, returns.value, reconnects.value]);
  return { ...state, reload: () => read(() => true) };
}

/** What the selected world does, as `GET` of a part of the admin API says, and how to change it. */
export function useSteered<T>(
  what: string,
): Loaded<T> & { act: (call: string, body: unknown, done: string) => unknown } {
  const loaded = useData(() => ask<T>(what), [world.value, files.value.changed, injectedNow.value]);
  const act = async (call: string, body: unknown, done: string): Promise<void> => {
    await attempt(() => ask(call, body), done);
    await loaded.reload();
  };
  return { ...loaded, act };
}

export function download(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export const Prose = ({ text }: { text: string }): JSX.Element => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
);

export const formatTime = (time: number): string => new Date(time).toTimeString().slice(0, 8);

export const formatDuration = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

type MenuProps = { title: string; label?: string; children: ComponentChildren };

/** A button with choices below it, which close when one is taken, and when the focus goes elsewhere. */
export function Menu({ title, label, children }: MenuProps): JSX.Element {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    if (menu.current !== null) menu.current.open = false;
  };
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      if (!(target instanceof Node) || menu.current?.contains(target) !== true) close();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, []);
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        menu.current?.querySelector('summary')?.focus();
      }}
    >
      <summary>{title}</summary>
      <div
        class="menu-items"
        role="group"
        aria-label={label ?? title}
        onClick={() => {
          close();
          menu.current?.querySelector('summary')?.focus();
        }}
      >
        {children}
      </div>
    </details>
  );
}
