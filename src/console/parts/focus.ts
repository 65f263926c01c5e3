import { useEffect } from 'preact/hooks';

/** Where the focus goes as soon as it is there, unless the user has moved it meanwhile. */
let wanted: { selector: string; from: Element | null } | undefined;

export function moveFocus(stays: string, comes: string): void {
  document.querySelector<HTMLElement>(stays)?.focus();
  wanted = { selector: comes, from: document.activeElement };
}

export function settleFocus(): void {
  if (wanted === undefined) return;
  const { activeElement, body } = document;
  const target = document.querySelector<HTMLElement>(wanted.selector);
  if (activeElement !== wanted.from && activeElement !== body) wanted = undefined;
  else if (target !== null) {
    wanted = undefined;
    target.focus();
  }
}

const FOCUSABLE = 'a[href],button,input,select,textarea,summary,[tabindex]:not([tabindex="-1"])';
/** What a list or a table repeats. */
const ITEM = 'li,tr';
const MOST_VISITED = 20;

type Place = { element: HTMLElement; around: { parent: Element; at: number }[] };

/** When what has the focus is removed, hidden or disabled, the focus goes to what is nearest, and not to the body. */
export function useKeptFocus(): void {
  useEffect(() => {
    let place: Place | undefined;
    let visited: HTMLElement[] = [];
    const enter = ({ target }: Event): void => {
      if (!(target instanceof HTMLElement) || !target.matches(FOCUSABLE)) return void (place = undefined);
      place = locate(target);
      visited = [target, ...visited.filter((each) => each !== target)].slice(0, MOST_VISITED);
    };
    // Who clicks beside everything wants the focus nowhere.
    const leave = ({ target }: Event): void => {
      if (target instanceof Element && target.closest(FOCUSABLE) === null) place = undefined;
    };
    const look = (): void => {
      if (place === undefined) return;
      const { activeElement } = document;
      if (isUsable(place.element)) return void (place = locate(place.element));
      const isLost = activeElement === null || activeElement === document.body || activeElement === place.element;
      if (isLost) (findNext(place, visited) ?? document.querySelector<HTMLElement>('#main'))?.focus();
    };
    const observer = new MutationObserver(look);
    const attributeFilter = ['disabled', 'class', 'open', 'hidden'];
    observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter });
    document.addEventListener('focusin', enter);
    document.addEventListener('pointerdown', leave, true);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', enter);
      document.removeEventListener('pointerdown', leave, true);
    };
  }, []);
}

function locate(element: HTMLElement): Place {
  const around: Place['around'] = [];
  for (let each: Element = element; each.parentElement !== null; each = each.parentElement)
    around.push({ parent: each.parentElement, at: [...each.parentElement.children].indexOf(each) });
  return { element, around };
}

const isUsable = (element: HTMLElement): boolean =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility();

/** In a list, the same in the next item; elsewhere what had the focus before in the same section, or what is nearest. */
function findNext({ element, around }: Place, visited: readonly HTMLElement[]): HTMLElement | undefined {
  const left = around.filter(({ parent }) => parent.isConnected && parent.checkVisibility());
  const section = left.find(({ parent }) => parent.matches('section,main'))?.parent;
  const isInList = around.some(({ parent }) => parent.matches(ITEM));
  const before = visited.find((each) => isUsable(each) && section?.contains(each));
  if (!isInList && before !== undefined) return before;
  for (const { parent, at } of left) {
    // Another panel is shown.
    if (parent.matches('main')) return undefined;
    const within = (each: Element): HTMLElement[] =>
      [each, ...each.querySelectorAll(FOCUSABLE)].filter(
        (one): one is HTMLElement => one instanceof HTMLElement && one.matches(FOCUSABLE) && isUsable(one),
      );
    const children = [...parent.children];
    const near = [...children.slice(at).flatMap(within), ...children.slice(0, at).flatMap(within).toReversed()];
    const same = near.find((each) => each.textContent !== '' && each.textContent === element.textContent);
    if (near.length > 0) return same ?? near[0];
  }
  return undefined;
}
