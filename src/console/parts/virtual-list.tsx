import type { ComponentChildren, JSX, RefObject, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

interface Props<Item> {
  items: readonly Item[];
  /** The height of a row in pixels, the same for all, so that a position is a multiplication. */
  height: number;
  label: string;
  keyOf: (item: Item) => number;
  selected: number | undefined;
  select: (item: Item) => void;
  children: (item: Item) => ComponentChildren;
}

/** Rows rendered beyond the visible ones, so that scrolling shows no gaps. */
const MARGIN = 8;

type Box = RefObject<HTMLDivElement | null>;

/** Renders only the visible rows, which the keys move through and which stay in place while the list grows above. */
export function VirtualList<Item>(props: Props<Item>): JSX.Element {
  const { items, height, label, keyOf, selected, select } = props;
  const box = useRef<HTMLDivElement>(null);
  const { view, look } = useView(box);
  const keys = items.map(keyOf);
  const [first] = keys;
  const before = useRef(first);
  useLayoutEffect(() => {
    const element = box.current;
    const added = before.current === undefined ? 0 : keys.indexOf(before.current);
    before.current = first;
    if (element !== null && element.scrollTop >= height && added > 0) element.scrollTop += added * height;
  }, [first]);
  const move = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const at = items.findIndex((item) => keyOf(item) === selected);
    const index = findStep(event.key, { at, last: items.length - 1, page: Math.floor(view.height / height) - 1 });
    const item = index === undefined ? undefined : items[index];
    if (item === undefined || index === undefined) return;
    event.preventDefault();
    select(item);
    const element = box.current;
    if (element === null) return;
    const { scrollTop, clientHeight } = element;
    const top = index * height;
    if (top < scrollTop) element.scrollTop = top;
    if (top + height > scrollTop + clientHeight) element.scrollTop = top + height - clientHeight;
  };
  const from = Math.max(0, Math.floor(view.top / height) - MARGIN);
  const shown = items.slice(from, Math.ceil((view.top + view.height) / height) + MARGIN);
  const active = shown.some((item) => keyOf(item) === selected) ? `row-${selected}` : undefined;
  return (
    <div
      class="list"
      ref={box}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={active}
      onScroll={look}
      onKeyDown={move}
    >
      <div role="presentation" style={{ height: `${from * height}px` }} />
      {shown.map((item, index) => (
        <Row key={keyOf(item)} {...props} item={item} place={from + index + 1} />
      ))}
      <div role="presentation" style={{ height: `${(items.length - from - shown.length) * height}px` }} />
    </div>
  );
}

interface RowProps<Item> extends Props<Item> {
  item: Item;
  place: number;
}

function Row<Item>({ items, item, place, height, keyOf, selected, select, children }: RowProps<Item>): JSX.Element {
  const key = keyOf(item);
  return (
    <div
      class="row"
      id={`row-${key}`}
      role="option"
      aria-selected={key === selected}
      aria-posinset={place}
      aria-setsize={items.length}
      style={{ height: `${height}px` }}
      onClick={() => select(item)}
    >
      {children(item)}
    </div>
  );
}

type View = { top: number; height: number };

export function useView(box: Box): { view: View; look: () => void } {
  const [view, setView] = useState<View>({ top: 0, height: 600 });
  const look = (): void => {
    const { scrollTop: top = 0, clientHeight: height = 600 } = box.current ?? {};
    setView((known) => (known.top === top && known.height === height ? known : { top, height }));
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { view, look };
}

function findStep(key: string, { at, last, page }: { at: number; last: number; page: number }): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: last,
  };
  const wanted = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return wanted === undefined || last < 0 ? undefined : Math.min(last, Math.max(0, wanted));
}
