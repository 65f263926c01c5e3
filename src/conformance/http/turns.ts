/** One after the other: what is called resolves when all that came before have left, with what leaves. */
export function createTurns(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    const before = last;
    let leave = (): void => {};
    last = new Promise((resolve) => (leave = resolve));
    return before.then(() => leave);
  };
}
