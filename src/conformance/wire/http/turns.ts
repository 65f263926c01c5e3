/** One after the other: the returned function resolves when all earlier callers have left, with the function to leave. */
export function createTurns(): () => Promise<() => void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    const before = last;
    let leave = (): void => {};
    last = new Promise((resolve) => (leave = resolve));
    return before.then(() => leave);
  };
}
