/** `100-800` or `200`; what is neither stays a text. */
export function readDelay(text: string): unknown {
  const [, from, to] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text) ?? [];
  if (from === undefined) return text;
  return to === undefined ? Number(from) : { from: Number(from), to: Number(to) };
}
