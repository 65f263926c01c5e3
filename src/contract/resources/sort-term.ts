/** A property to sort by, with the direction that stands beside it. */
export interface SortText {
  /** As it is written, which may be in another spelling than the property's. */
  name: string;
  /** 1 for the smallest first, -1 for the largest; `undefined` if the text does not say. */
  sign: 1 | -1 | undefined;
}

/** `name`, `+name`, `-name`, `name:desc`, `name desc`, `name_desc`. */
export function readSortTerm(text: string): SortText {
  const [, mark = '', name = '', word = ''] = TERM.exec(text.trim()) ?? [];
  if (mark === '-' || /^desc/i.test(word)) return { name, sign: -1 };
  return { name, sign: mark === '' && word === '' ? undefined : 1 };
}

const TERM = /^([+-]?)(.+?)(?:[\s:,.|_-]+(asc|desc|ascending|descending))?$/i;
