/** A line of one text, of the other, or of both. */
export interface DiffLine {
  of: 'first' | 'second' | 'both';
  text: string;
}

/** The lines of two texts with the fewest that only one has: what a longest common subsequence leaves over. */
export function diffLines(first: readonly string[], second: readonly string[]): DiffLine[] {
  const shorter = Math.min(first.length, second.length);
  let start = 0;
  while (start < shorter && first[start] === second[start]) start += 1;
  let end = 0;
  while (end < shorter - start && first.at(-1 - end) === second.at(-1 - end)) end += 1;
  return [
    ...mark(first.slice(0, start), 'both'),
    ...diffMiddle(first.slice(start, first.length - end), second.slice(start, second.length - end)),
    ...mark(first.slice(first.length - end), 'both'),
  ];
}

function mark(lines: readonly string[], of: DiffLine['of']): DiffLine[] {
  return lines.map((text) => ({ of, text }));
}

function diffMiddle(first: readonly string[], second: readonly string[]): DiffLine[] {
  if (first.length === 0 || second.length === 0) return [...mark(first, 'first'), ...mark(second, 'second')];
  const width = second.length + 1;
  // How many lines the rests of both have in common, from each place in one and each in the other.
  const common = new Uint16Array((first.length + 1) * width);
  for (let a = first.length - 1; a >= 0; a -= 1) {
    for (let b = second.length - 1; b >= 0; b -= 1) {
      const at = a * width + b;
      const [below = 0, right = 0, across = 0] = [common[at + width], common[at + 1], common[at + width + 1]];
      common[at] = first[a] === second[b] ? across + 1 : Math.max(below, right);
    }
  }
  const lines: DiffLine[] = [];
  let [a, b] = [0, 0];
  while (a < first.length && b < second.length) {
    const at = a * width + b;
    if (first[a] === second[b]) {
      lines.push({ of: 'both', text: first[a] ?? '' });
      a += 1;
      b += 1;
    } else if ((common[at + width] ?? 0) >= (common[at + 1] ?? 0)) {
      lines.push({ of: 'first', text: first[a] ?? '' });
      a += 1;
    } else {
      lines.push({ of: 'second', text: second[b] ?? '' });
      b += 1;
    }
  }
  return [...lines, ...mark(first.slice(a), 'first'), ...mark(second.slice(b), 'second')];
}

/** Lines to show; a number stands for so many that both have, far from a difference. */
export function foldSame(lines: readonly DiffLine[], around = 3): (DiffLine | number)[] {
  const near = new Set<number>();
  for (const [index, { of }] of lines.entries()) {
    if (of === 'both') continue;
    for (let at = index - around; at <= index + around; at += 1) near.add(at);
  }
  const folded: (DiffLine | number)[] = [];
  for (const [index, line] of lines.entries()) {
    const last = folded.at(-1);
    if (near.has(index)) folded.push(line);
    else if (typeof last === 'number') folded[folded.length - 1] = last + 1;
    else folded.push(1);
  }
  return folded;
}
