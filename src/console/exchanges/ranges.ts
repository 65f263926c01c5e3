/** Numbers as ranges, in any order: `3-17,20`. A thousand of them fit into an address. */
export function writeRanges(ids: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const id of ids.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && id === last.to + 1) last.to = id;
    else ranges.push({ from: id, to: id });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
