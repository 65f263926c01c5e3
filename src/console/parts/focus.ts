/** Where the focus goes as soon as it is there, unless the user has moved it meanwhile. */
let wanted: { selector: string; from: Element | null } | undefined;

/** Moves the focus off what is about to go: at once to what stays, then to what comes. */
export function moveFocus(stays: string, comes: string): void {
  document.querySelector<HTMLElement>(stays)?.focus();
  wanted = { selector: comes, from: document.activeElement };
}

/** Called after each rendering of a panel that moves the focus. */
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
