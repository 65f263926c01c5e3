import type { ValueMaking, MakeText } from './making.js';
import { endsIn, sayName } from './say-name.js';

const PERSON: MakeText = ({ person }) => `${person().first} ${person().last}`;

const OF_PETS = endsIn('pet|animal|dog|cat|puppy|kitten');

/** Whether the object around it is a pet. */
export function isOfPet({ subject }: ValueMaking): boolean {
  return OF_PETS.test(sayName(subject));
}

/** Names of records, by the words in which the kind of the record ends. */
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

/** The name of what the property or the object around it is: a product's, a person's. */
export const nameSubject: MakeText = (making) => {
  const { said, subject, draw } = making;
  const around = sayName(subject);
  if (/(?:^| )title$/.test(said) && OF_A_JOB.test(around)) return draw().person.jobTitle();
  const own = said.replace(/ ?(?:display ?)?(?:name|title|headline|heading|subject)$/, '');
  const known = [own, around].map((of) => SUBJECTS.find(([pattern]) => pattern.test(of))?.[1]);
  const make = known.find((each) => each !== undefined) ?? (isPerson(making) ? PERSON : undefined);
  return make?.(making) ?? capitalize(`${draw().word.adjective()} ${draw().word.noun()}`);
};

/** Whoever has a mail address or a family name has a name. */
function isPerson({ said, siblings }: ValueMaking): boolean {
  return said.endsWith('name') && siblings.some((name) => OF_A_PERSON.test(sayName(name)));
}

const OF_A_PERSON = /^(?:e ?mail(?: address)?|(?:first|last|family|given) ?name)$/;

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
