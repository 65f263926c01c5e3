/** Writes the items of a list that fit into a number of characters, and counts the rest. */
export function takeWhileFits<T, P extends string | { text: string }>(
  items: readonly T[],
  write: (item: T, index: number) => P,
  budget: number,
): { parts: P[]; left: number } {
  const parts: P[] = [];
  let used = 0;
  for (const [index, item] of items.entries()) {
    const part = write(item, index);
    used += (typeof part === 'string' ? part : part.text).length + 2;
    if (used > budget) break;
    parts.push(part);
  }
  return { parts, left: items.length - parts.length };
}
