import { addExactly, timesStep } from '../../contract/numbers/decimal.js';
import type { SchemaObject } from '../../contract/model.js';
import { type ValueMaking, endsIn, has, readNames } from './making.js';
import { isOfPet } from './texts.js';

interface Range {
  from: number;
  to: number;
}

/** The usual range of numbers whose names have these words; of fractions, where that is another. The first match counts. */
const RANGES: readonly (readonly [name: RegExp, from: number, to: number, fractions?: Range])[] = [
  [endsIn('lat', 'latitude'), -60, 70],
  [endsIn('lng', 'lon', 'long', 'longitude'), -170, 170],
  [endsIn('count', 'quantity', 'qty', 'stock', 'seat', 'capacity', 'inventory', 'in stock'), 1, 20],
  [has('number of', 'num', 'total (?!amount|price|cost|tax|value)[a-z]+s'), 1, 20],
  [endsIn('seconds', 'secs', 'minutes', 'mins', 'hours', 'duration', 'time', 'elapsed'), 1, 240],
  [endsIn('ms', 'millis', 'milliseconds', 'latency'), 10, 2000],
  [endsIn('bytes', 'file~size', 'content length'), 1000, 5_000_000],
  [has('ratio', 'probability', 'confidence', 'similarity', 'fraction', 'opacity'), 0, 100, { from: 0, to: 1 }],
  [endsIn('(?:tax|vat|interest|bounce|conversion|discount|commission|click|open)~rate'), 0, 25],
  [endsIn('(?:exchange|conversion|fx) rate'), 1, 2, { from: 0.5, to: 2 }],
  [has('percent', 'percentage', 'pct', 'progress', 'rate', 'discount', 'humidity', 'completion'), 0, 100],
  [has('cents', 'minor'), 100, 50_000],
  [has('price', 'amount', 'cost', 'fee', 'balance', 'salary', 'budget', 'revenue', 'sub~total', 'total', 'tax', 'value', 'discount', 'tip', 'deposit'), 1, 500], // prettier-ignore
  [endsIn('id'), 1, 1000],
  [endsIn('age'), 18, 80],
  [endsIn('age of pet'), 1, 15],
  [endsIn('exp~year', 'expiry year', 'expiration year'), 2027, 2032],
  [has('year'), 1990, 2026],
  [has('month'), 1, 12],
  [endsIn('days'), 1, 28],
  [has('day'), 1, 28],
  [endsIn('weeks?'), 1, 52],
  [has('rating', 'star', 'priority', 'severity', 'level'), 1, 5],
  [endsIn('score'), 1, 100],
  [endsIn('temperature', 'temp'), -10, 35],
  [endsIn('altitude', 'elevation'), 0, 3000],
  [endsIn('port'), 1024, 65_535],
  [endsIn('position', 'rank', 'order', 'sort', 'index', 'sequence', 'version', 'revision', 'floor', 'attempt', 'retries'), 1, 20], // prettier-ignore
  [has('weight', 'height', 'width', 'length', 'depth', 'distance', 'size', 'speed', 'area', 'radius'), 1, 100],
];

const DECIMALS = endsIn('price', 'amount', 'cost', 'fee', 'balance', 'salary', 'sub~total', 'total', 'tax', 'decimal', 'money', '(?:tax|exchange|interest) rate', 'discount', 'price per [a-z]+'); // prettier-ignore

/** Whether a text of this name is the text of a number. */
export const namesNumberText = readNames((said) => WHOLES.test(said) || DECIMALS.test(said));

/** Whether a name says of which size a number is. */
export const namesNumber = readNames((said) => findRow(said) !== undefined && !/(?:^| )ids?$/.test(said));

const WHOLES = endsIn('quantity', 'qty', 'count', 'age', 'year');

/** The text of a number, where services write such numbers as texts. */
export function makeNumberText(making: ValueMaking): string {
  const { said, draw } = making;
  if (WHOLES.test(said)) return String(makeNumber({ ...making, type: 'integer', rules: {} }));
  const { from, to } = findUsual(said, false) ?? { from: 1, to: 500 };
  return draw().number.float({ min: from, max: to, fractionDigits: 2 }).toFixed(2);
}

/** A plausible number for its name, within the bounds; `undefined` if there is none. */
export function makeNumber(making: ValueMaking): number | undefined {
  const { rules, type, draw, said } = making;
  const isCounted = WHOLES.test(said) && Number.isInteger(rules['example'] ?? 1);
  const isWhole = type === 'integer' || rules['format'] === 'int32' || rules['format'] === 'int64' || isCounted;
  const shown = typeof rules['example'] === 'number' ? rules['example'] : undefined;
  const step = typeof rules['multipleOf'] === 'number' ? rules['multipleOf'] : 0;
  const places = isWhole ? 0 : Math.max(2, /\.(\d+)$/.exec(String(shown ?? ''))?.[1]?.length ?? 0);
  const { from, to } = findRange(said === 'age' && isOfPet(making) ? 'age of pet' : said, isWhole, shown);
  // A step as long as the usual range would leave one or two numbers.
  const range = fitRange({ from, to: Math.max(to, from + FEW * step) }, rules, isWhole ? 1 : 10 ** -places);
  if (range === undefined) return undefined;
  if (step > 0) return drawMultiple(range, step, making);
  if (!isWhole) return draw().number.float({ min: range.from, max: range.to, fractionDigits: places });
  const [min, max] = [Math.ceil(range.from), Math.floor(range.to)];
  return min <= max ? draw().number.int({ min, max }) : undefined;
}

function findRange(said: string, isWhole: boolean, shown: number | undefined): Range {
  const usual = findUsual(said, isWhole);
  if (shown === undefined || shown === 0) return usual ?? { from: 1, to: 1000 };
  if (usual !== undefined && usual.from <= shown && shown <= usual.to) return usual;
  const spread = Math.max(Math.abs(shown) / 2, isWhole ? FEW : 0);
  const from = shown > 0 ? Math.max(shown - spread, isWhole ? 1 : 0) : shown - spread;
  return { from, to: shown + spread };
}

function findUsual(said: string, isWhole: boolean): Range | undefined {
  const row = findRow(said);
  if (row === undefined) return undefined;
  const [, from, to, fractions] = row;
  return !isWhole && fractions !== undefined ? fractions : { from, to };
}

const findRow = readNames((said) => RANGES.find(([pattern]) => pattern.test(said)));

function fitRange(usual: Range, rules: SchemaObject, unit: number): Range | undefined {
  const least = readBound(rules['minimum'], rules['exclusiveMinimum'], unit);
  const most = readBound(rules['maximum'], rules['exclusiveMaximum'], -unit);
  const range = { from: Math.max(usual.from, least ?? -Infinity), to: Math.min(usual.to, most ?? Infinity) };
  if (range.from <= range.to) return range;
  const span = usual.to - usual.from;
  const bound = { from: least ?? (most ?? 0) - span, to: most ?? (least ?? 0) + span };
  return bound.from <= bound.to ? bound : undefined;
}

/** In OpenAPI 3.0 the exclusive bound is a boolean beside the bound. */
function readBound(bound: unknown, exclusive: unknown, unit: number): number | undefined {
  const above = (each: number): number => addExactly(each, unit);
  if (typeof exclusive === 'number')
    return typeof bound === 'number' ? (unit > 0 ? Math.max : Math.min)(bound, above(exclusive)) : above(exclusive);
  if (typeof bound !== 'number') return undefined;
  return exclusive === true ? above(bound) : bound;
}

function drawMultiple({ from, to }: Range, step: number, { draw }: ValueMaking): number | undefined {
  const [min, max] = [Math.ceil(from / step - EPSILON), Math.floor(to / step + EPSILON)];
  if (min > max || !Number.isSafeInteger(min) || !Number.isSafeInteger(max)) return undefined;
  return timesStep(draw().number.int({ min, max }), step);
}

const EPSILON = 1e-9;
const FEW = 9;
