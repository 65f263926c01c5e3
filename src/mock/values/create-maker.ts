import type { ValueMaker, Wanted } from '../../contract/samples/sample.js';
import { isJsonNumber, isWhole, addExactly, timesStep } from '../../contract/document/json.js';
import { nameSingular } from '../../contract/resources/words.js';
import { UNREAD_PATTERN } from '../../contract/schemas/dialect.js';
import { createContractPattern } from '../../contract/schemas/pattern.js';
import type { Draw, ValueMaking, MakeText, Person } from './making.js';
import {
  findBetween,
  endsIn,
  has,
  readNames,
  splitName,
  createDraw,
  drawPerson,
  isTimeOfDay,
  isTimeText,
  stampTime,
  makeTime,
} from './making.js';
import type { SchemaObject } from '../../contract/model.js';

interface MakerOptions {
  draw: Draw;
  index: number;
  /** Today, milliseconds since 1970-01-01T00:00:00Z. */
  now: number;
  /** Whether the record comes into being now: nothing is counted of it yet, and nothing has been done to it. Default: `false`. */
  isNew?: boolean;
  /** Whether to leave to others what the name says nothing about. Default: `false`. */
  isSparing?: boolean;
}

/** The one maker of values: plausible for their name and what is around, within the schema, like its example. */
export function createMaker({ draw, index, now, isNew = false, isSparing = false }: MakerOptions): ValueMaker {
  const people = new WeakMap<object, Person>();
  const meet = (holder: object): Person => {
    const person = people.get(holder) ?? drawPerson(draw);
    people.set(holder, person);
    return person;
  };
  return (wanted) => {
    const said = splitName(wanted.name);
    const making: ValueMaking = { ...wanted, draw, now, said, person: () => meet(wanted.holder) };
    const atFirst = isNew ? beginAt(making) : undefined;
    if (atFirst !== undefined) return atFirst;
    const { example, examples, default: usual } = wanted.rules;
    // The default of what may be left out is null, which shows nothing.
    const listed = [...(Array.isArray(examples) ? (examples as unknown[]) : []), example, usual ?? undefined];
    const shown = index === 0 ? listed.find((each) => isAllowed(each, wanted)) : undefined;
    if (shown !== undefined) return shown;
    return isSparing && !isTelling(making) ? undefined : makeOne(making, index);
  };
}

/** The maker of what stands alone, the same for the same text: an answer without state, what only one view of a record has. */
export const createLoneMaker = (of: string): ValueMaker =>
  createMaker({ draw: createDraw(of), index: 1, now: LONE_NOW, isSparing: true });

const LONE_NOW = Date.parse('2026-01-01T00:00:00Z');

function isTelling(making: ValueMaking): boolean {
  const { said, type, name, rules } = making;
  if (type === 'boolean') return false;
  if (type !== 'string') return namesNumber(said) || stampTime(name, { ...rules, type }, 0) !== undefined;
  return (
    rules['format'] !== undefined || isTimeText(name) || isTimeOfDay(name) || listWays(listNames(making)).length > 0
  );
}

function makeOne(making: ValueMaking, index: number): unknown {
  const time = makeTime(making);
  if (time !== undefined && isAllowed(time, making)) return time;
  const { type, said, draw } = making;
  if (type === 'boolean') return draw().datatype.boolean(SELDOM.test(said) ? 0.1 : MOSTLY.test(said) ? 0.85 : 0.5);
  if (type === 'string') return makeText(making, index);
  const { least, most } = findBetween(making.name, making.holder);
  const rules = { ...making.rules };
  if (typeof least === 'number') rules['minimum'] = Math.max(least, Number(rules['minimum'] ?? least));
  if (typeof most === 'number') rules['maximum'] = Math.min(most, Number(rules['maximum'] ?? most));
  return makeNumber({ ...making, rules });
}

const SELDOM = has('deleted', 'archived', 'removed', 'disabled', 'blocked', 'banned', 'hidden', 'locked', 'suspended', 'cancelled', 'canceled', 'deprecated', 'expired', 'revoked', 'trashed', 'spam', 'failed', 'test', 'sandbox', 'internal', 'locked', 'muted'); // prettier-ignore
const MOSTLY = has('active', 'enabled', 'available', 'visible', 'valid', 'verified', 'open', 'success', 'ok');
const COUNTED = endsIn('count', 'views', 'likes', 'followers', 'downloads', 'attempts', 'retries', 'points', 'balance');
const BEGINS_ON = has('active', 'enabled', 'available', 'visible', 'valid', 'open', 'success', 'ok');

function beginAt({ type, said, rules }: ValueMaking): unknown {
  if (type === 'boolean') return BEGINS_ON.test(said);
  if (type === 'string' || !COUNTED.test(said)) return undefined;
  const { minimum = 0, exclusiveMinimum } = rules;
  return exclusiveMinimum === undefined && Number(minimum) <= 0 ? 0 : undefined;
}

const PLAIN = new Set(['', 'string', 'text', 'password', 'binary']);
const EXACT = new Set(['date-time', 'date', 'time', 'duration', 'uri-reference', 'iri', 'iri-reference', 'uri-template', 'json-pointer', 'relative-json-pointer', 'regex', 'google-datetime', 'google-duration', 'idn-hostname', 'binary']); // prettier-ignore

function makeText(making: ValueMaking, index: number): unknown {
  const { rules, draw } = making;
  const { example, examples } = rules;
  const format = typeof rules['format'] === 'string' ? rules['format'] : '';
  const listed = Array.isArray(examples) ? examples.filter((each) => isAllowed(each, making)) : [];
  if (listed.length > 1 && format === '') return listed[index % listed.length];
  const shown = [example, ...listed].find((each) => typeof each === 'string' && isAllowed(each, making)) as
    | string
    | undefined;
  if (EXACT.has(format) || (shown !== undefined && rules[UNREAD_PATTERN] !== undefined)) return shown;
  const byFormat = FORMATS[format];
  // A format that nobody knows is a second name.
  let first: string | undefined;
  for (const [way, each] of byFormat === undefined ? listWays(listNames(making)) : [[byFormat, making.said] as const]) {
    const text = way(each === making.said ? making : { ...making, said: each });
    if (text !== undefined && isAllowed(text, making) && (shown === undefined || formOf(text) === formOf(shown)))
      return text;
    first ??= text;
  }
  if (shown !== undefined && isTimeText(making.name)) return shown;
  if (shown !== undefined) return varyExample(shown, draw, (text) => isAllowed(text, making));
  if (typeof rules['default'] === 'string' && isAllowed(rules['default'], making)) return rules['default'];
  const fitted = fit(first ?? draw().word.noun(), making);
  return isAllowed(fitted, making) ? fitted : undefined;
}

function listNames({ said, subject, rules }: ValueMaking): string[] {
  const format = typeof rules['format'] === 'string' ? rules['format'] : '';
  const around = splitName(subject);
  return [
    ...(PLAIN.has(format) || Object.hasOwn(FORMATS, format) ? [] : [splitName(format)]),
    said,
    ...(around.endsWith('s') ? [splitName(nameSingular(around))] : []),
  ];
}

const listWays = (names: readonly string[]): (readonly [MakeText, string])[] =>
  names.flatMap((said) => findRows(said).map((way) => [way, said] as const));

const findRows = readNames((said): MakeText[] => [
  ...(namesNumberText(said) ? [makeNumberText] : []),
  ...TEXTS.flatMap(([pattern, ...as]) => (pattern.test(said) ? as : [])),
]);

const MOST_LENGTH = 10_000;

function fit(text: string, { rules, draw }: ValueMaking): string {
  const least = Number(rules['minLength'] ?? 0);
  const most = Number(rules['maxLength'] ?? Infinity);
  let fitted = text;
  while (fitted.length < least && fitted.length < MOST_LENGTH) fitted = `${fitted} ${draw().word.noun()}`;
  return fitted.length > most ? fitted.slice(0, most).trimEnd().padEnd(least, 's') : fitted;
}

function isAllowed(value: unknown, { rules, patterns, type }: Wanted): boolean {
  if (value === null) return rules['nullable'] === true || [rules['type']].flat().includes('null');
  if (isJsonNumber(value)) return type === 'number' || (type === 'integer' && isWhole(value));
  if (typeof value !== 'string') return typeof value === type;
  if (type !== 'string') return false;
  if (rules['minLength'] !== undefined || rules['maxLength'] !== undefined) {
    const { length } = Array.from(value);
    if (length < Number(rules['minLength'] ?? 0) || length > Number(rules['maxLength'] ?? Infinity)) return false;
  }
  return patterns.every((pattern) => createContractPattern(pattern, 'u').test(value));
}

const FORMS: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['link', /^[a-z][a-z+.-]*:\/\//i],
  ['mail', /^[^\s@]+@[^\s@]+$/],
  ['phone', /^\+?[\d\s().-]{7,}$/],
  ['digits', /^\d+$/],
  ['decimal', /^-?\d+[.,]\d+$/],
  ['short code', /^[A-Z]{2,3}$/],
  ['code', /^(?=.*[A-Z])[A-Z\d_-]+$/],
  ['short word', /^[a-z]{2,3}$/],
  ['path', /^\//],
  ['file', /^\S+\.[a-z\d]{2,4}$/i],
  ['slug', /^[a-z\d]+(?:[-_.:/][a-z\d]+)+$/],
];

const formOf = (text: string): string => FORMS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text';
const LEAST_DIGITS = 3;

function varyExample(example: string, draw: Draw, allows: (text: string) => boolean): string {
  const count = example.replace(/\D/g, '').length;
  if (count < LEAST_DIGITS || /\s|:\/\/|[{}[\]<>]/.test(example)) return example;
  const varied = example.replace(/\d+/g, (digits) =>
    draw().string.numeric({ length: digits.length, allowLeadingZeros: digits.startsWith('0') }),
  );
  return allows(varied) ? varied : example;
}

type Range = { from: number; to: number };

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

export const namesNumberText = readNames((said) => WHOLES.test(said) || DECIMALS.test(said));
export const namesNumber = readNames((said) => findRow(said) !== undefined && !/(?:^| )ids?$/.test(said));
const WHOLES = endsIn('quantity', 'qty', 'count', 'age', 'year');

export function makeNumberText(making: ValueMaking): string {
  const { said, draw } = making;
  if (WHOLES.test(said)) return String(makeNumber({ ...making, type: 'integer', rules: {} }));
  const { from, to } = findUsual(said, false) ?? { from: 1, to: 500 };
  return draw().number.float({ min: from, max: to, fractionDigits: 2 }).toFixed(2);
}

export function makeNumber(making: ValueMaking): number | undefined {
  const { rules, type, draw, said } = making;
  const isCounted = WHOLES.test(said) && Number.isInteger(rules['example'] ?? 1);
  const isInteger = type === 'integer' || rules['format'] === 'int32' || rules['format'] === 'int64' || isCounted;
  const shown = typeof rules['example'] === 'number' ? rules['example'] : undefined;
  const step = typeof rules['multipleOf'] === 'number' ? rules['multipleOf'] : 0;
  const places = isInteger ? 0 : Math.max(2, /\.(\d+)$/.exec(String(shown ?? ''))?.[1]?.length ?? 0);
  const { from, to } = findRange(said === 'age' && isOfPet(making) ? 'age of pet' : said, isInteger, shown);
  // A step as long as the usual range would leave one or two numbers.
  const range = fitRange({ from, to: Math.max(to, from + FEW * step) }, rules, isInteger ? 1 : 10 ** -places);
  if (range === undefined) return undefined;
  if (step > 0) {
    const [first, last] = [Math.ceil(range.from / step - EPSILON), Math.floor(range.to / step + EPSILON)];
    if (first > last || !Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return undefined;
    return timesStep(draw().number.int({ min: first, max: last }), step);
  }
  if (!isInteger) return draw().number.float({ min: range.from, max: range.to, fractionDigits: places });
  const [min, max] = [Math.ceil(range.from), Math.floor(range.to)];
  return min <= max ? draw().number.int({ min, max }) : undefined;
}

function findRange(said: string, isInteger: boolean, shown: number | undefined): Range {
  const usual = findUsual(said, isInteger);
  if (shown === undefined || shown === 0) return usual ?? { from: 1, to: 1000 };
  if (usual !== undefined && usual.from <= shown && shown <= usual.to) return usual;
  const spread = Math.max(Math.abs(shown) / 2, isInteger ? FEW : 0);
  const from = shown > 0 ? Math.max(shown - spread, isInteger ? 1 : 0) : shown - spread;
  return { from, to: shown + spread };
}

function findUsual(said: string, isInteger: boolean): Range | undefined {
  const [, from, to, fractions] = findRow(said) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return isInteger || fractions === undefined ? { from, to } : fractions;
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

const EPSILON = 1e-9;
const FEW = 9;
const nameFully = ({ first, last }: Person): string => `${first} ${last}`;
const PERSON: MakeText = ({ person }) => nameFully(person());
const OF_PETS = endsIn('pet|animal|dog|cat|puppy|kitten');
export const isOfPet = ({ subject }: ValueMaking): boolean => OF_PETS.test(splitName(subject));

const SUBJECTS: readonly (readonly [subject: RegExp, make: MakeText])[] = [
  [
    endsIn('user', 'customer', 'person', 'people', 'contact', 'employee', 'author', 'member', 'owner', 'patient', 'student', 'teacher', 'guest', 'driver', 'artist', 'player', 'passenger', 'staff', 'agent', 'candidate', 'applicant', 'buyer', 'seller', 'visitor', 'assignee', 'reporter', 'client', 'lead', 'manager', 'profile', 'recipient', 'sender', 'holder', 'cardholder', 'uploader', 'host', 'attendee', 'participant', 'invitee', 'creator', '[a-z]+ed by', 'traveler', 'traveller'),
    PERSON,
  ], // prettier-ignore
  [OF_PETS, ({ draw }) => draw().animal.petName()],
  [
    endsIn('company', 'companie', 'organi[sz]ation', 'vendor', 'supplier', 'shop', 'store', 'merchant', 'publisher', 'hotel', 'restaurant', 'account', 'tenant', 'bank', 'business', 'carrier', 'brand'),
    ({ draw }) => draw().company.name(),
  ], // prettier-ignore
  [endsIn('product', 'item', 'goods', 'variant', 'menu'), ({ draw }) => draw().commerce.productName()],
  [
    endsIn('city', 'place', 'location', 'station', 'airport', 'venue', 'address', 'warehouse', 'site'),
    ({ draw }) => draw().location.city(),
  ],
  [endsIn('file', 'attachment', 'upload'), ({ draw }) => draw().system.commonFileName()],
  [endsIn('country'), ({ draw }) => draw().location.country()],
  [endsIn('book', 'movie', 'film', 'exhibit'), ({ draw }) => draw().book.title()],
  [endsIn('song', 'track', 'single'), ({ draw }) => draw().music.songName()],
  [endsIn('album'), ({ draw }) => draw().music.album()],
  [
    endsIn('tag', 'category', 'label', 'genre', 'role', 'group', 'department', 'division'),
    ({ draw }) => draw().commerce.department(),
  ],
  [endsIn('dish', 'meal', 'recipe'), ({ draw }) => draw().food.dish()],
  [endsIn('ingredient'), ({ draw }) => draw().food.ingredient()],
  [endsIn('vehicle', 'car'), ({ draw }) => draw().vehicle.vehicle()],
  [
    endsIn('task', 'todo', 'issue', 'ticket'),
    ({ draw }) => capitalize(`${draw().hacker.verb()} the ${draw().hacker.noun()}`),
  ],
];

const OF_A_JOB = endsIn('employee', 'staff', 'person', 'contact', 'candidate', 'applicant', 'manager');

const nameSubject: MakeText = (making) => {
  const { said, subject, draw } = making;
  const around = splitName(subject);
  if (/(?:^| )title$/.test(said) && OF_A_JOB.test(around)) return draw().person.jobTitle();
  const own = said.replace(/ ?(?:display ?)?(?:name|title|headline|heading|subject)$/, '');
  const known = [own, around].map((of) => SUBJECTS.find(([pattern]) => pattern.test(of))?.[1]);
  const make =
    known.find((each) => each !== undefined) ??
    (making.said.endsWith('name') && making.siblings.some((name) => OF_A_PERSON.test(splitName(name)))
      ? PERSON
      : undefined);
  return make?.(making) ?? capitalize(`${draw().word.adjective()} ${draw().word.noun()}`);
};

const OF_A_PERSON = /^(?:e ?mail(?: address)?|(?:first|last|family|given) ?name)$/;
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const oneOf =
  (...choices: readonly string[]): MakeText =>
  ({ draw }) =>
    draw().helpers.arrayElement(choices);

const someone: MakeText = ({ draw }) => nameFully(drawPerson(draw));
const writeTo = ({ first, last }: Person): string => `${plain(first)}.${plain(last)}@example.com`;
const email: MakeText = ({ person }) => writeTo(person());
const phone: MakeText = ({ draw }) => draw().phone.number({ style: 'international' });
const link: MakeText = ({ draw }) => `https://example.com/${draw().lorem.slug(2)}`;
const city: MakeText = ({ draw }) => draw().location.city();
const countryCode: MakeText = ({ draw }) => draw().location.countryCode();
const digits: MakeText = ({ draw }) => draw().string.numeric({ length: 6, allowLeadingZeros: false });
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

export const FORMATS: Readonly<Record<string, MakeText>> = {
  email,
  'idn-email': email,
  uri: link,
  url: link,
  hostname: ({ draw }) => `${draw().lorem.word()}.example.com`,
  ipv4: ({ draw }) => draw().internet.ipv4(),
  ipv6: ({ draw }) => draw().internet.ipv6(),
  uuid: ({ draw }) => draw().string.uuid(),
  byte: ({ draw }) => Buffer.from(draw().lorem.word()).toString('base64'),
};

const MAILS = has('e~mail', 'mail', 'subject', 'cc', 'bcc');
const CALLS = has('call', 'message', 'sms', 'mms', 'fax', 'conversation', 'duration', 'body', 'text', 'recording');
const MONEY = has('transfer', 'transaction', 'payment', 'amount');

const partner: MakeText = (making) => {
  const isAbout = (words: RegExp): boolean =>
    [making.subject, ...making.siblings].some((name) => words.test(splitName(name)));
  if (isAbout(MAILS)) return writeTo(drawPerson(making.draw));
  if (isAbout(CALLS)) return phone(making);
  return isAbout(MONEY) ? someone(making) : city(making);
};

const ADDRESS = endsIn('city', 'street', 'zip', 'zip~code', 'post~code', 'postal code', 'country', 'address', 'line');

/** Texts by the words in which names end; `as` are ways to say the same. The first that fits the contract counts. */
export const TEXTS: readonly (readonly [name: RegExp, ...as: MakeText[]])[] = [
  [/^(?:from|to)$|^(?:from|to) (?:number|address)$|^(?:caller|callee)$/, partner],
  [endsIn('e~mail', 'mail', 'e~mail address', 'mail address'), email],
  [endsIn('(?:first|given|fore|middle|preferred)~name', 'forename'), ({ person }) => person().first],
  [endsIn('(?:last|family|sur|maiden)~name'), ({ person }) => person().last],
  [
    endsIn('user~name', 'login', 'login name', 'nick~name', 'nick', 'handle', 'screen name'),
    ({ person, draw }) => `${plain(person().first)}${draw().number.int({ min: 1, max: 99 })}`,
  ],
  [endsIn('full~name', 'person name'), PERSON],
  [
    endsIn('(?:contact|customer|owner|author|creator|user|driver|guest|sender|recipient|manager)(?: name)?', 'assignee', 'reporter', '(?:creat|updat|modifi|upload|approv|assign|edit|sign)ed by'),
    someone,
  ], // prettier-ignore
  [
    endsIn('(?:tele|cell)?phone', 'mobile', 'fax', 'tel', '(?:phone|mobile|fax|telephone|cell)~number', 'msisdn'),
    phone,
  ],
  [
    endsIn('(?:image|photo|avatar|picture|thumbnail|logo|icon|cover|banner)(?: ur[li])?', 'img'),
    ({ draw }) => `https://example.com/images/${draw().lorem.slug(2)}.png`,
  ],
  [endsIn('ur[li]', 'href', 'link', 'web~site', 'home~page', 'callback', 'web~hook', 'endpoint', 'self'), link],
  [endsIn('ip', 'ip address', 'ipv4'), ({ draw }) => draw().internet.ipv4()],
  [endsIn('mac', 'mac address'), ({ draw }) => draw().internet.mac()],
  [endsIn('domain', 'domain name', 'host~name', 'host', 'fqdn'), ({ draw }) => `${draw().lorem.word()}.example.com`],
  [endsIn('user~agent'), ({ draw }) => draw().internet.userAgent()],
  [endsIn('country~code', 'country iso'), countryCode],
  [
    endsIn('country', 'country name', 'country of [a-z]+', 'nationality'),
    ({ draw }) => draw().location.country(),
    countryCode,
  ],
  [endsIn('city|town|municipality|origin|destination|city name|place of birth|birth~place|location|venue'), city],
  [endsIn('zip', 'zip~code', 'postal~code', 'post~code', 'postal'), ({ draw }) => draw().location.zipCode('#####')],
  [endsIn('street', 'address', 'street name', 'address~line', 'line'), ({ draw }) => draw().location.streetAddress()],
  [
    endsIn('state'),
    ({ draw, siblings }) =>
      siblings.some((name) => ADDRESS.test(splitName(name))) ? draw().location.state() : undefined,
  ],
  [endsIn('province', 'region', 'county'), ({ draw }) => draw().location.state(), oneOf('eu-west-1', 'us-east-1')],
  [endsIn('time~zone', 'tz'), ({ draw }) => draw().location.timeZone()],
  [endsIn('currency', 'currency~code'), oneOf('EUR', 'USD', 'GBP', 'CHF', 'JPY', 'SEK'), oneOf('eur', 'usd', 'gbp')],
  [endsIn('locale'), oneOf('en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES'), oneOf('en_US', 'de_DE'), oneOf('en', 'de')],
  [
    endsIn('language', 'lang', 'language~code'),
    oneOf('en', 'de', 'fr', 'es', 'it'),
    oneOf('English', 'German', 'French'),
  ],
  [
    endsIn('(?:company|organi[sz]ation|employer|vendor|supplier|brand|manufacturer|operator|publisher|bank)(?: name)?', 'legal name', 'trading name', 'business name'),
    ({ draw }) => draw().company.name(),
  ], // prettier-ignore
  [
    endsIn('job', 'job title', 'position', 'occupation', 'profession', 'designation'),
    ({ draw }) => draw().person.jobTitle(),
  ],
  [
    endsIn('department', 'category', 'genre', 'group', 'section', 'division'),
    ({ draw }) => draw().commerce.department(),
  ],
  [endsIn('colou?r'), ({ draw }) => draw().color.human(), ({ draw }) => draw().color.rgb()],
  [endsIn('breed'), ({ draw }) => draw().animal.dog()],
  [endsIn('species|animal|creature'), ({ draw }) => draw().animal.type()],
  [endsIn('slug'), ({ draw }) => draw().lorem.slug(2)],
  [endsIn('tag', 'keyword', 'topic', 'label'), ({ draw }) => draw().word.noun()],
  [
    endsIn('user id', 'external id', 'id', 'uid', 'guid', 'uuid', 'sid', 'key'),
    ({ draw }) => draw().string.alphanumeric({ length: 10, casing: 'lower' }),
  ],
  [
    endsIn('(?:tracking|serial)~number', 'sku', 'bar~code', 'ean', 'isbn', 'serial', 'code', 'ref', 'reference'),
    ({ draw }) => draw().string.alphanumeric({ length: 8, casing: 'upper' }),
    digits,
  ],
  [endsIn('number', 'nr', 'no'), digits],
  [endsIn('version', 'revision'), ({ draw }) => draw().system.semver()],
  [endsIn('file~name', 'file'), ({ draw }) => draw().system.commonFileName()],
  [endsIn('path', 'file~path', 'folder', 'directory'), ({ draw }) => `/${draw().lorem.slug(2).replace('-', '/')}`],
  [endsIn('(?:mime|content|media|file)~type'), oneOf('image/png', 'image/jpeg', 'application/pdf', 'text/csv')],
  [endsIn('iban'), ({ draw }) => draw().finance.iban()],
  [endsIn('bic', 'swift'), ({ draw }) => draw().finance.bic()],
  [endsIn('license plate', 'plate'), ({ draw }) => draw().vehicle.vrm()],
  [endsIn('vin'), ({ draw }) => draw().vehicle.vin()],
  [endsIn('gender', 'sex'), ({ draw }) => draw().person.sex()],
  [endsIn('week~day', 'day of week'), ({ draw }) => draw().date.weekday()],
  [endsIn('month'), ({ draw }) => draw().date.month()],
  [endsIn('priority', 'severity', 'urgency', 'risk'), oneOf('low', 'medium', 'high')],
  [endsIn('status', 'state'), oneOf('active', 'pending', 'inactive')],
  [endsIn('role'), oneOf('admin', 'editor', 'viewer')],
  [endsIn('type', 'kind'), oneOf('standard', 'basic', 'custom')],
  [endsIn('plan', 'tier'), oneOf('free', 'basic', 'pro')],
  [endsIn('frequency', 'interval', 'period', 'recurrence'), oneOf('daily', 'weekly', 'monthly')],
  [endsIn('environment', 'env'), oneOf('production', 'staging', 'development')],
  [endsIn('visibility'), oneOf('public', 'private')],
  [endsIn('duration'), ({ draw }) => `PT${draw().number.int({ min: 5, max: 180 })}M`],
  [endsIn('unit', 'uom', 'unit of measure'), oneOf('pcs', 'kg', 'box')],
  [
    endsIn('description',
      'memo', 'summary', 'bio', 'biography', 'about', 'note', 'comment', 'text', 'body', 'content', 'message', 'reason', 'remark', 'detail', 'instruction', 'caption', 'abstract', 'overview', 'excerpt', 'feedback', 'explanation', 'info', 'information', 'answer', 'review', 'intro', 'sample'),
    ({ draw }) => draw().lorem.sentence(),
  ], // prettier-ignore
  [
    endsIn('hash', 'token', 'checksum', 'digest', 'secret', 'signature', 'fingerprint', 'etag', 'md5', 'sha'),
    ({ draw }) => draw().string.hexadecimal({ length: 32, casing: 'lower', prefix: '' }),
  ],
  [endsIn('name', '(?:sub~)?title', 'headline', 'heading', 'subject', 'tagline', 'slogan'), nameSubject],
];
