import type { Draws } from './draws.js';
import { words } from '../support/words.js';
import { list, listPlaces, number, object, plain, pointerOf, replaceAt, write, type Written } from './written.js';

/** The most bytes of a body that the mock reads. */
const LONG = 250_000;

const ODD: readonly Written[] = [
  ...['1e400', '-1e400', '1e308', '1e-400', '1e999999999', '9223372036854775808', '-0', '0.1e1', '1.0'].map(number),
  number(`0.${'1'.repeat(400)}`),
  ...['', ' ', '\u0000', '\uD800', '\u202E', 'null', '/', 'a'.repeat(3000), '{{x}}', '$ref'].map(plain),
  ...[null, true, false].map(plain),
  list([]),
  object([]),
  ...['__proto__', 'constructor', 'toString', 'toJSON', 'then', ''].map((name) =>
    object([[name, object([['value', plain('1')]])]]),
  ),
  object([
    ['a', plain(1 === 1)],
    ['a', plain(null)],
  ]),
];

/** Deep, long or wide values whose work may grow faster than their length. */
const GROWING: readonly ((size: number) => Written)[] = [
  (size) => list(Array.from({ length: size / 12 }, (_, index) => object([['a', number(index)]]))),
  (size) => list(Array.from({ length: size / 12 }, () => object([['a', number(1)]]))),
  (size) => list(Array.from({ length: size / 8 }, (_, index) => number(`1e${400 + index}`))),
  (size) => list(Array.from({ length: size / 10 }, (_, index) => plain(`t${index}`))),
  (size) => object(Array.from({ length: size / 14 }, (_, index): [string, Written] => [`x-${index}`, number(index)])),
  (size) => object(Array.from({ length: size / 14 }, (): [string, Written] => ['same', plain(null)])),
  (size) => nest(Math.min(size / 2, 60_000), (inner) => list([inner])),
  (size) => nest(Math.min(size / 6, 20_000), (inner) => object([['a', inner]])),
  (size) => nest(60, (inner) => list([inner, plain('x'.repeat(size / 60))])),
  (size) => plain('a'.repeat(size)),
  (size) => plain(`${'a'.repeat(size)}!`),
  (size) => plain('😀'.repeat(size / 4)),
  (size) => number('9'.repeat(size)),
  (size) => number(`0.${'0'.repeat(size)}1`),
];

function nest(depth: number, around: (inner: Written) => Written): Written {
  let value: Written = plain(null);
  for (let level = 0; level < depth; level++) value = around(value);
  return value;
}

export const growing = (draws: Draws): Written => draws.pick(GROWING)(draws.pick([2000, 20_000, 120_000, LONG]));

/** The value with something else in one place, now and then something large. */
export function spoil(value: Written, draws: Draws): Written {
  const other = draws.chance(0.15) ? growing(draws) : draws.pick(ODD);
  return replaceAt(value, draws.pick(listPlaces(value)), other);
}

/** Text that is JSON no longer, or hardly. */
export function spoilText(text: string, draws: Draws): string {
  const at = draws.below(text.length + 1);
  return draws.pick([
    text.slice(0, at),
    `${text.slice(0, at)}${draws.pick(['"', '{', '[', ',', '\\u', '\uFEFF', '\0', '//', "'", 'NaN'])}${text.slice(at)}`,
    `\uFEFF${text}`,
    `${text} ${text}`,
  ]);
}

const PATCH_PATHS = ['', ...words`/ /- /f0 /f1/0 /f1/- /f1/-1 /f1/01 /f1/1e0 /__proto__/x /f0/~ /id /new`];

/** A JSON Patch of odd steps; now and then one that grows by itself. */
export function drawPatch(record: Written | undefined, draws: Draws): Written {
  const known = record === undefined ? [] : listPlaces(record).map(pointerOf);
  const place = (): Written => plain(draws.pick([...PATCH_PATHS, ...known]));
  const ops = words`add replace remove copy move test spam`;
  const step = (op: string, path: Written, from: Written, more: Record<string, Written> = {}): Written =>
    object(Object.entries({ op: plain(op), path, from, ...more }));
  const any = (): Written => step(draws.pick(ops), place(), place(), { value: draws.pick(ODD) });
  const copy = (to: string): Written => step('copy', plain(to), plain(''));
  if (draws.chance(0.15)) return list(draws.times(draws.pick([20, 26, 200]), (index) => copy(`/new${index}`)));
  return list(draws.times(1 + draws.below(6), any));
}

/** A form of pairs: near the one that is asked for, or of many or deep names. */
export function drawForm(value: Written, draws: Draws): string {
  const size = draws.pick([10, 500, 12_000]);
  const pairs = value.kind === 'object' ? value.members : [];
  const text = ([name, member]: [string, Written]): string => `${name}=${encodeURIComponent(write(member))}`;
  return draws.pick([
    () => pairs.map(text).join('&'),
    () => pairs.map(text).join('&'),
    () => draws.times(size, (index) => `n${index}=1`).join('&'),
    () => draws.times(size, () => 'a=1').join('&'),
    () => draws.times(size, (index) => `a[${index}][b]=1`).join('&'),
    () => `a${'[a]'.repeat(size)}=1`,
    () => `a${'.a'.repeat(size)}=1&${'['.repeat(size)}=${']'.repeat(size)}`,
    () => `${'%'.repeat(size)}=%&__proto__[x]=1&constructor[prototype][y]=1&=&&==`,
  ])();
}

export function drawMultipart(value: Written, draws: Draws): { boundary: string; text: string } {
  const boundary = draws.pick(['b', 'a-boundary', '-', 'x'.repeat(70)]);
  const parts = value.kind === 'object' ? value.members : [];
  const count = draws.pick([0, 0, 1000]);
  const all = [...parts, ...draws.times(count, (index): [string, Written] => [`n${index}`, number(index)])];
  const text = all.map(
    ([name, member]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${write(member)}\r\n`,
  );
  return { boundary, text: `${text.join('')}--${boundary}--\r\n` };
}
