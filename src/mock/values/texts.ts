import { drawPerson, type MakeText, type Person, type ValueMaking, endsIn, has, splitName } from './making.js';

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
const picture: MakeText = ({ draw }) => `https://example.com/images/${draw().lorem.slug(2)}.png`;
const sentence: MakeText = ({ draw }) => draw().lorem.sentence();
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

const state: MakeText = (making) =>
  making.siblings.some((name) => ADDRESS.test(splitName(name))) ? making.draw().location.state() : undefined;

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
  [endsIn('(?:image|photo|avatar|picture|thumbnail|logo|icon|cover|banner)(?: ur[li])?', 'img'), picture],
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
  [endsIn('state'), state],
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
    sentence,
  ], // prettier-ignore
  [
    endsIn('hash', 'token', 'checksum', 'digest', 'secret', 'signature', 'fingerprint', 'etag', 'md5', 'sha'),
    ({ draw }) => draw().string.hexadecimal({ length: 32, casing: 'lower', prefix: '' }),
  ],
  [endsIn('name', '(?:sub~)?title', 'headline', 'heading', 'subject', 'tagline', 'slogan'), nameSubject],
];
