import { withArticle } from '../resources/words.js';
import type { Resource } from '../resources/resource.js';

/** The words that replace `{record}` and the like in the texts of a general gap. */
export type GapWords = Readonly<Record<'record' | 'records' | 'text' | 'number', string>>;

/** The petstore's own words. */
export const PETS: GapWords = { record: 'pet', records: 'pets', text: 'name', number: 'int64' };

/** What a contract calls the records of a resource. */
export function wordsOf({ singular, name }: Pick<Resource, 'singular' | 'name'>): GapWords {
  const plain = (text: string): string =>
    text
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .replaceAll(/[._-]+/g, ' ')
      .toLowerCase();
  const record = plain(singular);
  const named = plain(name.split('.').at(-1) ?? name);
  // `/silence/{id}` beside `/silences`.
  const plural = named === record && !HAS_NO_PLURAL.test(named) ? `${named}s` : named;
  return { record, records: plural, text: 'text', number: 'number' };
}

const HAS_NO_PLURAL = /(?:s|data|media|info|information|equipment|staff|software|hardware|[^aeiou]y|x|ch|sh)$/;

interface Texts {
  question: string;
  choices: Readonly<Record<string, string>>;
  item: string | undefined;
  mock: string;
  why: string;
}

/** A general gap in the words of its resource. */
export function fillTexts<T extends Texts>(gap: T, words: GapWords): T {
  const fill = (text: string): string => fillWords(text, words);
  const choices = Object.entries(gap.choices).map(([name, text]) => [name, fill(text)] as const);
  const item = gap.item === undefined ? undefined : fill(gap.item);
  const filled = { question: fill(gap.question), mock: fill(gap.mock), why: fill(gap.why), item };
  return { ...gap, ...filled, choices: Object.fromEntries(choices) };
}

function fillWords(text: string, words: GapWords): string {
  if (!text.includes('{')) return text;
  return text
    .replaceAll('{a record}', withArticle(words.record))
    .replaceAll(/\{(record|records|text|number)\}/g, (_, name: keyof GapWords) => words[name]);
}
