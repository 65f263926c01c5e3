const MOST_KNOWN = 10_000;

/** What is read of a name, once for each: a list asks for the same few names thousands of times. */
export function readNames<Read>(read: (name: string) => Read): (name: string) => Read {
  const known = new Map<string, { read: Read }>();
  return (name) => {
    const found = known.get(name) ?? { read: read(name) };
    if (known.size === MOST_KNOWN) known.clear();
    known.set(name, found);
    return found.read;
  };
}

/**
 * The words of a name, in lower case and apart, without a number at its end: `startsAt`, `starts_at` and `StartsAt2`
 * become `starts at`. What looks for a word in it finds no part of one: `description` does not end in `on`.
 */
export const sayName = readNames(split);

function split(name: string): string {
  const words = name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\d+)$/u, '$1')
    .replace(/[^\p{L}\d]+/gu, ' ')
    .trim()
    .toLowerCase();
  return words.replace(/ \d+$/, '');
}

/** A pattern for names that end in one of these words or phrases; `~` stands between words that may be written as one. */
export function endsIn(...phrases: readonly string[]): RegExp {
  return new RegExp(`(?:^| )(?:${phrases.join('|').replaceAll('~', ' ?')})s?$`);
}

/** A pattern for names that have one of these words or phrases anywhere. */
export function has(...phrases: readonly string[]): RegExp {
  return new RegExp(`(?:^| )(?:${phrases.join('|').replaceAll('~', ' ?')})s?(?: |$)`);
}
