import type { ComponentChildren, JSX } from 'preact';

interface CardProps {
  /** Unique on the page. */
  id: string;
  title: ComponentChildren;
  /** What appears to the right of the title. */
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** A section of a panel, with a heading. */
export function Card({ id, title, action, children }: CardProps): JSX.Element {
  return (
    <section class="card" aria-labelledby={id}>
      <div class="bar">
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

interface ButtonProps {
  act: () => unknown;
  children: string;
  /** What the button acts on, for screen readers. */
  of?: string;
  disabled?: boolean;
}

export function QuietButton({ act, children, of, disabled = false }: ButtonProps): JSX.Element {
  const label = of === undefined ? {} : { 'aria-label': `${children} ${of}` };
  return (
    <button type="button" class="quiet" disabled={disabled} onClick={() => void act()} {...label}>
      {children}
    </button>
  );
}

interface ItemProps {
  name: ComponentChildren;
  about?: ComponentChildren;
  children: ComponentChildren;
}

/** A row of a list, with its actions. */
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
