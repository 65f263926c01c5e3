import type { AuthForm } from '../../model/scenario.js';
import { joinWords, type Occurrence } from '../occurrence.js';

/** How a request presented its key, in the words of a headline. */
const FORMS: Readonly<Partial<Record<AuthForm, string>>> = {
  missing: 'without a key',
  wrong: 'with a wrong key',
  empty: 'with an empty key',
  truncated: 'with a part of the key',
  extended: 'with the key and more letters after it',
  prefixed: 'with other letters before the key',
  otherCase: 'with the key in another case',
  otherScheme: 'with the key after another scheme than Bearer',
  bareKey: 'with the key without a scheme',
  lowerCaseScheme: 'with the scheme in lower case',
  lowerCaseField: 'with the key in a field that is called authorization, in lower case',
  firstOfTwo: 'with another token after the key',
  lastOfTwo: 'with another token before the key',
  amongOthers: 'with the key in a list',
  quoted: 'with the key in quotation marks',
  beyondAscii: 'with the key and a letter beyond ASCII',
  emptyPassword: 'without a password',
  unencoded: 'with user and password as they are, not in Base64',
  wordUndefined: 'with the word undefined for a key',
  wordNull: 'with the word null for a key',
  star: 'with a star for a key',
  twoFields: 'with two Authorization fields',
};

/** What a service does not look at that serves such requests. */
export function nameUnchecked(occurrences: readonly Occurrence[]): string {
  const forms = occurrences.map(({ exchange }) => exchange.request.auth);
  if (forms.includes('missing') || forms.includes('wrong')) return 'The key is not checked';
  return forms.includes('lackingScope') ? 'Scopes are not checked' : 'What is not the key is accepted for it';
}

/** A service that accepts any key accepts all forms; otherwise the headline names the forms. */
export function describeForms(occurrences: readonly Occurrence[]): string {
  const forms = [...new Set(occurrences.map(({ exchange }) => exchange.request.auth))];
  const lacking = describeLackedScopes(occurrences);
  if (lacking !== '') return `with a token that lacks ${lacking}`;
  const plain = (['missing', 'wrong'] as const).filter((form) => forms.includes(form));
  const named = plain.length > 0 ? plain : forms;
  return joinWords(
    named.slice(0, MOST_NAMED).map((form) => FORMS[form] ?? `with a key of the form ${form}`),
    'and',
  );
}

/** Where alone a service does not look at keys: on later pages, or with a filter. */
export function describeUnsecured(occurrences: readonly Occurrence[]): string {
  const ofPages = occurrences.filter(({ asks }) => asks === 'laterPage');
  const others = occurrences.filter((each) => !ofPages.includes(each));
  if (others.some(({ scenario }) => scenario.about?.filter === undefined)) return '';
  const filters = new Set(others.map(({ scenario }) => `\`${scenario.about?.filter ?? ''}\``));
  return joinWords(
    [
      ...(ofPages.length > 0 ? ['from the second page on'] : []),
      ...(filters.size > 0 ? [`if they filter by ${joinWords([...filters], 'or')}`] : []),
    ],
    'and',
  );
}

/** Of requests whose tokens lack scopes on purpose, which: each would need one of them. */
function describeLackedScopes(occurrences: readonly Occurrence[]): string {
  const lacked = occurrences.flatMap(({ exchange: { request } }) =>
    request.auth === 'lackingScope' ? (request.breaks ?? []).map(({ actual }) => actual) : [],
  );
  const [first = '', ...others] = [...new Set(lacked)];
  const scopes = [...new Set([first, ...others].flatMap((each) => each.split(' ')))].filter((each) => each !== '');
  return joinWords(
    scopes.map((scope) => `\`${scope}\``),
    others.length === 0 ? 'and' : 'or',
  );
}

const MOST_NAMED = 3;
