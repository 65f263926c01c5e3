/** The words of a text, for lists of names: `` words`a b c` `` is `['a', 'b', 'c']`. */
export function words({ raw: [text = ''] }: TemplateStringsArray): string[] {
  return text.trim().split(/\s+/);
}
