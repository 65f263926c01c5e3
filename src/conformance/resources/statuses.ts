// The statuses that the contract allows a response, by what should become of the request.
import { coversMediaType } from '../../contract/media-types.js';
import { requiresTag } from '../../contract/operations/operations.js';
import type { Content, Operation } from '../../contract/model.js';
import type { StatusPattern } from '../model/scenario.js';

type Patterns = StatusPattern[];

export function listStatuses(word: string, operation: Operation): Patterns | undefined {
  return WORDS[word]?.(new Set(operation.responses.map(({ status }) => status.toUpperCase())), operation);
}

const WORDS: Readonly<Record<string, (stated: ReadonlySet<string>, operation: Operation) => Patterns | undefined>> = {
  $doneOrRefused: (stated) => [...listDone(stated), '4XX'],
  $doneOrInvalid: (stated) => [...listDone(stated), 400, 422],
  $doneOrTaken: (stated) => [...listDone(stated), 409],
  /** Without a length, a body may be rejected (RFC 9110 section 15.5.12). */
  $doneOrLengthRequired: (stated) => [...listDone(stated), 411],
  /** Who sends no 100 may say so: a 417 merely means that somebody on the way knows no expectations (RFC 9110 section 10.1.1). */
  $doneOrUnmetExpectation: (stated) => [...listDone(stated), 417],
  /** That there is a new record, a 201 alone says (RFC 9110 section 15.3.2): a 200 may show one that was there. */
  $created: (stated) => find(stated, 201) ?? listDone(stated),
  $conflict: (stated) => find(stated, 409),
  $doneOrConflict: (stated) => (stated.has('409') ? [...listDone(stated), '4XX'] : undefined),
  $notModified: (stated) => find(stated, 304),
  $doneOrNotModified: (stated) => [...listDone(stated), 304],
  /** Whoever returns no parts returns the whole (RFC 9110 section 14.2). */
  $doneOrPart: (stated) => [...listDone(stated), 206],
  $doneOrNoPart: (stated) => [...listDone(stated), 416],
  $preconditionFailed: (stated) => find(stated, 412),
  $unsupportedType: (stated, { requestBody }) =>
    includesAny(requestBody?.content ?? []) ? undefined : find(stated, 415),
  $unsupportedText: (stated, { requestBody }) =>
    requestBody?.content.some(({ mediaType }) => coversMediaType(mediaType, 'text/plain')) === true
      ? undefined
      : find(stated, 415),
  $notAcceptable: (stated, { responses }) => {
    const successes = responses.filter(({ status }) => status.startsWith('2'));
    const isAlwaysFine = successes.some(({ content }) => content.length === 0 || includesAny(content));
    return isAlwaysFine ? undefined : find(stated, 406);
  },
  $done: listDone,
  $notFound: (stated) => hide(stated, [404]),
  $gone: (stated, operation) => hide(stated, listGone(operation)),
  $noParent: (stated) => {
    return hide(stated, [404, 410])?.concat([400, 409, 422].filter((status) => stated.has(String(status))));
  },
  /** A `PUT` that creates may do so where its key is another's elsewhere (RFC 9110 section 9.3.4). */
  $goneOrCreated: (stated) => {
    const gone = hide(stated, [404, 410]);
    return gone === undefined || !stated.has('201') ? gone : [...gone, 201];
  },
  /** A removal of what is not there may count as done (the gap `remove-gone`); what is there must stay. */
  $goneOrDone: (stated, operation) => hide(stated, listGone(operation))?.concat(listDone(stated)),
  $refused: () => ['4XX'],
  $invalid: (stated) => choose(stated, [400, 422]),
  /** What is no JSON may be invalid in either way, whichever the contract has for it (the gap `malformed-json`). */
  $malformed: (stated) => {
    const found = choose(stated, [400, 422]);
    return found?.includes('4XX') === false ? [400, 422] : found;
  },
  // A contract without them leaves open what a page or a choice is that there is not (the gap `limit-above-maximum`).
  $invalidPage: (stated) => (stated.has('400') || stated.has('422') ? choose(stated, [400, 422]) : undefined),
  // Without the condition that it requires (RFC 6585 section 3), or as if that did not hold.
  $unconditioned: (stated) => choose(stated, [400, 412, 422, 428]),
  // A value that the contract names may need a right of its own, or show other records alone: those in the bin.
  $doneOrForbidden: (stated) => [...listDone(stated), 403, ...(stated.has('404') ? [404] : [])],
  $unauthorized: listUnauthorized,
  // A token without a scope (RFC 6750 section 3.1); a service may hide what a client must not see (RFC 9110 section 15.5.4).
  // Which of them a contract documents says what its author thought of, not that the others would be wrong.
  // What cannot be read as credentials at all may be a bad request (RFC 6750 section 3.1).
  $unauthorizedOrBad: (stated) => [...listUnauthorized(stated), 400],
  $unauthorizedOrOther: (stated) => [...listUnauthorized(stated), 400, 403, 404, 409, 410, 415, 422],
  $forbidden: (stated) => (choose(stated, [401, 403])?.includes('4XX') === false ? [401, 404, 403] : ['4XX']),
};

function listDone(stated: ReadonlySet<string>): Patterns {
  const successes = [...stated].filter((status) => status.startsWith('2'));
  const redirects = [...stated].filter((status) => status.startsWith('3') && status !== '304');
  return successes.length === 0 ? ['2XX', ...redirects.map(toPattern)] : successes.map(toPattern);
}

/** Nothing is there that could match a condition (RFC 9110 section 13.1.1). */
function listGone(operation: Operation): number[] {
  return requiresTag(operation) ? [404, 410, 412] : [404, 410];
}

/** If the contract secures an operation, HTTP says how it rejects (RFC 9110 section 15.5.2). */
function listUnauthorized(stated: ReadonlySet<string>): Patterns {
  return stated.has('401') && !stated.has('403') ? [401] : [401, 403];
}

function includesAny(content: readonly Content[]): boolean {
  return content.some(({ mediaType }) => coversMediaType(mediaType, 'application/x-no-such-type'));
}

function choose(stated: ReadonlySet<string>, wanted: readonly number[]): Patterns | undefined {
  const found = wanted.filter((status) => stated.has(String(status)));
  if (stated.has('DEFAULT') || (found.length === 0 && stated.has('4XX'))) return ['4XX'];
  return found.length === 0 ? undefined : found;
}

/** What a client must not see may be rejected as what is not there is, so that neither can be told (RFC 9110 section 15.5.4). */
function hide(stated: ReadonlySet<string>, wanted: readonly number[]): Patterns | undefined {
  return choose(stated, wanted)?.concat(stated.has('403') ? [403] : []);
}

function find(stated: ReadonlySet<string>, status: number): Patterns | undefined {
  return stated.has(String(status)) ? [status] : undefined;
}

function toPattern(status: string): StatusPattern {
  return /^\d+$/.test(status) ? Number(status) : status;
}
