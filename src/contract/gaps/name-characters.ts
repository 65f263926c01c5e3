/** The kinds of characters that the gap `name-characters` tells apart (`spec/gaps.yaml`). */
export const NAME_CHARACTERS: Readonly<Record<string, RegExp>> = {
  astral: /[\u{10000}-\u{10FFFF}]/u,
  'non-ascii': /[\u0080-\u{10FFFF}]/u,
  control: /\p{Cc}/u,
  markup: /[<>]/,
  'outer-spaces': /^\s+\S|\S\s+$/,
};
