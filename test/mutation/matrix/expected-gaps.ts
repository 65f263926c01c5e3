import { type ProfileAnswer, NOT_OBSERVED } from '../../../src/contract/gaps/profile.js';
import type { VariantId } from '../variants/index.js';
import { words } from '../../support/words.js';

type Answers = Readonly<Record<string, ProfileAnswer>>;

/** One answer for several gaps. */
function all(answer: ProfileAnswer, ...gaps: string[]): Answers {
  return Object.fromEntries(gaps.map((gap) => [gap, answer]));
}

const limits = words`empty-limit limit-above-maximum limit-below-minimum limit-not-integer`;
const filters = words`empty-status-filter unknown-status-filter`;
const mediaTypes = words`missing-media-type wrong-media-type`;
const petIds = words`pet-id-not-integer pet-id-out-of-range`;

/** What a profile of the strict mutation server says; what a variant does otherwise stands below. */
export const strictGaps: Answers = {
  ...all(NOT_OBSERVED, 'after-removal', 'removal-hour'),
  ...all('accepted', ...mediaTypes, ...words`blank-name body-too-large empty-name negative-category unknown-category`),
  ...all('refused-400', ...limits, ...filters, 'malformed-json', 'repeated-parameters'),
  ...all('ignored', 'client-id', 'unacceptable', 'unknown-parameters'),
  ...all('none', 'deprecation-header', 'name-length-limit'),
  ...all('absent', 'location-header', 'status-omitted', 'successor-link', 'sunset-header'),
  ...all('not-found', ...petIds, 'unknown-path'),
  // It reads digits as Number does, zeros before them too.
  ...all(['zeros'], 'limit-forms', 'pet-id-forms'),
  ...all([], ...words`error-fields name-characters paging-headers pet-fields rate-limiting`),
  'bearer-case': 'any-case',
  'extra-fields': 'dropped',
  head: 'answered',
  'list-order': 'oldest-first',
  'status-filter-case': 'as-unknown',
  'short-pages': 'full',
  'status-after-create': 'stays',
  'wrong-method': 'refused-405',
  'www-authenticate': 'same',
};

const limits422 = all('refused-422', ...limits);
// Keys that do not count up have none of which nobody knows whether it is the next.
const keysInNoOrder = { 'client-id': NOT_OBSERVED };
const everyForm = ['exponent', 'fraction', 'plus', 'space', 'zeros'];
const unknownCategories = all('refused-400', 'unknown-category', 'negative-category');

/** The gaps at which a legal variant does otherwise than the strict mutation server; at all others it does the same. */
export const variantGaps: Readonly<Partial<Record<VariantId, Answers>>> = {
  // ---- parameters
  'clamps-limit': {
    ...all('ignored', ...limits),
    'limit-below-minimum': 'clamped',
    // More pets than the greatest limit would tell.
    'limit-above-maximum': NOT_OBSERVED,
    'limit-forms': everyForm,
    'repeated-parameters': 'first',
  },
  'limit-out-of-bounds-lists-all': all('other', ...limits, 'repeated-parameters'),
  'ignores-bad-limit': { ...all('ignored', ...limits), 'repeated-parameters': 'other' },
  'bad-limit-422': limits422,
  'no-json-422': { 'malformed-json': 'refused-422' },
  'limit-0-gives-nothing': { 'limit-below-minimum': 'other' },
  // 101 is served and a million refused, which shows with more pets only.
  'limit-above-100-served': { ...limits422, 'limit-above-maximum': NOT_OBSERVED },
  'limit-read-as-number': { ...limits422, 'limit-forms': everyForm, 'repeated-parameters': 'first' },
  'unknown-status-422': all('refused-422', ...filters),
  'unknown-status-empty': all('empty-list', ...filters),
  'unknown-status-ignored': all('ignored', ...filters),
  'status-in-any-case': { ...all('refused-422', ...filters), 'status-filter-case': 'matched' },
  'empty-status-ignored': { 'empty-status-filter': 'ignored' },
  'empty-parameters-ignored': { 'empty-limit': 'ignored', 'empty-status-filter': 'ignored' },
  'first-parameter-wins': { 'repeated-parameters': 'first' },
  'last-parameter-wins': { 'repeated-parameters': 'last' },
  'unknown-parameters-refused': { 'unknown-parameters': 'refused-400' },
  'malformed-id-400': all('refused-400', ...petIds),
  'malformed-id-422': all('refused-422', ...petIds),
  'id-with-leading-plus': { 'pet-id-forms': ['plus', 'zeros'] },
  // ---- creation
  'default-status-available': { 'status-omitted': 'available' },
  'default-status-pending': { 'status-omitted': 'pending' },
  'default-status-sold': { 'status-omitted': 'sold' },
  'extra-fields-kept': { 'extra-fields': 'kept' },
  'extra-fields-refused': { 'extra-fields': 'refused-400', 'client-id': 'refused-400' },
  'client-id-refused': { 'client-id': 'refused-400' },
  'other-media-type-415': all('refused-415', ...mediaTypes),
  'other-media-type-400': all('refused-400', ...mediaTypes),
  'names-of-letters-alone': {
    ...all('refused-400', 'empty-name', 'blank-name'),
    'name-characters': ['astral', 'control', 'markup', 'non-ascii', 'outer-spaces'],
  },
  // The names that would tell are longer.
  'names-up-to-8': { 'name-characters': NOT_OBSERVED, 'name-length-limit': 8 },
  // The other names that would tell begin with what they tell of.
  'names-begin-with-a-letter': {
    ...all('refused-400', 'empty-name', 'blank-name'),
    'name-characters': ['outer-spaces'],
  },
  'other-paths-hang-up': { 'unknown-path': NOT_OBSERVED, 'wrong-method': NOT_OBSERVED },
  'refused-key-named': { 'www-authenticate': 'absent' },
  'name-not-empty': { 'empty-name': 'refused-400' },
  'name-not-blank': { 'empty-name': 'refused-400', 'blank-name': 'refused-400' },
  'name-from-3': { 'empty-name': 'refused-400' },
  'name-up-to-50': { 'name-length-limit': 50 },
  'name-up-to-255': { 'name-length-limit': 255 },
  'name-up-to-64-bytes': { 'name-length-limit': 64 },
  'name-without-emoji': { 'name-characters': ['astral'] },
  'name-ascii-only': { 'name-characters': ['astral', 'control', 'non-ascii'] },
  'name-without-control-characters': { 'name-characters': ['control'] },
  'name-without-markup': { 'name-characters': ['markup'] },
  'name-without-outer-spaces': { 'name-characters': ['outer-spaces'], 'blank-name': 'refused-400' },
  'categories-1-to-5': unknownCategories,
  'categories-in-use': unknownCategories,
  'only-category-77': unknownCategories,
  'no-negative-category': { 'negative-category': 'refused-400' },
  // A name of 10,000 letters is refused, with its body, so that there is a limit; it is no likely one, and the twelve tries
  // end between 9,969 and 10,000. As many more as it takes would be more pets than a run creates.
  'body-up-to-10-kb': { 'body-too-large': 'refused-413', 'name-length-limit': NOT_OBSERVED },
  // ---- keys and paths
  'no-challenge': { 'www-authenticate': 'absent' },
  'scheme-is-case-sensitive': { 'bearer-case': 'exact' },
  'other-paths-401': { 'unknown-path': 'unauthorized-first' },
  'other-paths-403': { 'unknown-path': 'other', 'wrong-method': 'other' },
  'other-paths-redirected': { 'unknown-path': 'other' },
  'wrong-methods-404': { 'wrong-method': 'not-found' },
  'head-405': { head: 'refused-405' },
  // ---- orders
  'ids-scattered': keysInNoOrder,
  'ids-up-to-the-largest': keysInNoOrder,
  'ids-like-snowflakes': keysInNoOrder,
  'ids-negative': { ...keysInNoOrder, 'pet-id-forms': NOT_OBSERVED },
  'ids-from-the-smallest': { ...keysInNoOrder, 'pet-id-forms': NOT_OBSERVED },
  'newest-first': { 'list-order': 'newest-first' },
  'ordered-by-name': { 'list-order': 'other' },
  'ordered-by-category': { 'list-order': 'other' },
  'ordered-by-status': { 'list-order': 'other' },
  'ordered-by-hash': { 'list-order': 'other' },
  'random-order': { 'list-order': 'other' },
  // ---- answers
  'extra-fields-in-pets': { 'pet-fields': ['_links', 'category', 'deletedAt', 'tags'] },
  'extra-fields-in-errors': { 'error-fields': ['details', 'path', 'traceId'] },
  'errors-with-violations': { 'error-fields': ['errors'] },
  'deprecation-headers': {
    'sunset-header': 'sent',
    'successor-link': 'sent',
    'deprecation-header': '@1767225600',
    'removal-hour': 'start-of-day',
  },
  'location-of-created': { 'location-header': 'sent' },
  'paging-headers': { 'paging-headers': ['link', 'x-total-count'] },
  'rate-limit-headers': { 'rate-limiting': ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] },
  // ---- collections: new pets are on no page, or only among those of one status
  'pages-of-at-most-50': { 'short-pages': 'shorter', 'list-order': NOT_OBSERVED },
  'pages-that-grow-full': { 'short-pages': 'shorter', 'list-order': NOT_OBSERVED },
  'pages-one-shorter': { 'short-pages': 'shorter' },
  'pages-of-any-length': { 'short-pages': 'shorter' },
  'hundred-pets': { 'list-order': NOT_OBSERVED },
  'thousand-pets': { 'list-order': NOT_OBSERVED },
  'million-pets': { 'list-order': NOT_OBSERVED },
  'million-pets-newest-first': { 'list-order': 'newest-first' },
  // ---- time
  'status-moves-soon': { 'status-after-create': 'moves-by-itself' },
  'status-moves-later': { 'status-after-create': 'moves-by-itself' },
  'status-moves-round': { 'status-after-create': 'moves-by-itself' },
  'others-create-newest-first': { 'list-order': 'newest-first' },
  'rate-limited': { 'rate-limiting': ['429'] },
};

/** What may be seen or not, as others happen to fill the pages: the gap is not compared. */
export const uncertainGaps: Readonly<Partial<Record<VariantId, readonly string[]>>> = {
  // Once a hundred pets are there, which others see to in 170 requests, no page shows the run's own: those that pages
  // showed by then may just as well have been sorted by status.
  'others-create': ['list-order'],
  'others-create-and-remove': ['list-order', 'sunset-header', 'successor-link', 'short-pages'],
  // Which pet is gone when it is looked for is up to them.
  'others-remove': ['sunset-header', 'successor-link', 'short-pages'],
  'others-create-newest-first': ['client-id'],
  // A run on a fast machine may be over before anything moves; that one sees it, `status-moves-soon` proves.
  // A list of a status may be shorter by the time a page of it is read.
  'status-moves-later': ['status-after-create', 'short-pages'],
  'status-moves-round': ['status-after-create', 'short-pages'],
  // Until there are 50 pets, a page shows the run's own; which lists are asked for by then is up to the order of the run.
  'pages-that-grow-full': ['list-order'],
  // Its pages tell hardly anything by how long they are; some are full by chance, beside others that are not.
  'pages-of-any-length': words`
    short-pages limit-forms limit-below-minimum limit-not-integer list-order repeated-parameters
  `,
};
