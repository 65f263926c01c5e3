// Texts that Unicode's tables take for equal, or nearly, and that are two all the same.
import type { Chance } from './chance.js';

/** Blocks of letters whose tables no version of Unicode changes any more. */
const BLOCKS: readonly (readonly [from: number, to: number])[] = [
  [0xc0, 0x24f],
  [0x370, 0x3ff],
  [0x400, 0x45f],
  [0x1e00, 0x1eff],
  [0x2126, 0x212b],
  [0xac00, 0xd7a3],
  [0xff21, 0xff5a],
];

/** How the one becomes the other; the same where a letter has no such form. */
const FORMS: Readonly<Record<string, { words: string; of: (letter: string) => string }>> = {
  canonical: { words: 'in another normal form', of: (letter) => letter.normalize('NFD') },
  compatible: { words: 'with letters that are compatible', of: (letter) => letter.normalize('NFKC') },
  case: {
    words: 'in another case',
    of: (letter) => (letter.toUpperCase() === letter ? letter.toLowerCase() : letter.toUpperCase()),
  },
  accent: {
    words: 'without accents',
    of: (letter) => letter.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC'),
  },
  ignorable: { words: 'with a sign that nobody sees', of: (letter) => `${letter}\u200D` },
};

export interface EqualTexts {
  form: string;
  words: string;
  one: string;
  other: string;
}

/** A pair of each form, in another order for each seed. */
export function drawEqualTexts(draw: Chance): EqualTexts[] {
  const left = Object.entries(FORMS);
  const drawn: EqualTexts[] = [];
  while (left.length > 0) {
    const [[form, { words, of }] = ['', { words: '', of: (text: string) => text }]] = left.splice(
      draw.below(left.length),
      1,
    );
    const one = drawWord(draw, of);
    drawn.push({ form, words, one, other: Array.from(one, of).join('') });
  }
  return drawn;
}

/** Three letters of which each has the form. */
function drawWord(draw: Chance, of: (letter: string) => string): string {
  let word = '';
  for (let tries = 0; tries < 5000 && Array.from(word).length < 3; tries += 1) {
    const [from, to] = draw.pick(BLOCKS);
    const letter = String.fromCodePoint(from + draw.below(to - from + 1));
    // What is no letter in its simplest form might be a sign of its own.
    if (/^\p{L}$/u.test(letter.normalize('NFC')) && of(letter) !== letter && letter.normalize('NFC') === letter)
      word += letter;
  }
  return word;
}
