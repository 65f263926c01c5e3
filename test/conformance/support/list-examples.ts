import type { AskedPage } from '../../../src/conformance/model/records.js';
import type { Exchanged } from './check-context.js';
import { many, rex, tom, type CheckExamples } from './check-examples.js';
import { DATA, PLACE } from './record-examples.js';

function asPage(page: Partial<AskedPage> = {}, at = ''): AskedPage {
  const walk = { kind: 'offset', parameter: undefined, first: 0, at, length: 5, atMost: 3 } as const;
  return { turn: null, before: [], isLast: false, walk, ...page };
}

/** A list that can be read on. */
function asTurned(page: Partial<AskedPage> = {}): AskedPage {
  const asked = asPage(page);
  return { ...asked, walk: { ...asked.walk, parameter: 'offset' } };
}

/** A list of which rules are asked. */
const listed = (body: unknown, rules: object, more: Exchanged = {}): Exchanged => ({
  body,
  ...more,
  expect: { records: { ...PLACE, ...rules } },
});
/** One that cannot be read on. */
const whole = (body: unknown, rules: object, more: Exchanged = {}): Exchanged =>
  listed(body, { page: asPage(), ...rules }, more);
/** The same below `data`. */
const wholeIn = (body: unknown, rules: object): Exchanged =>
  whole(body, { ...DATA, page: asPage({}, '/data'), ...rules });
/** What two records of five that are asked for three at a time are. */
const isFull = { full: { limit: 3, of: [many(5)], gap: 'short-pages' } };
/** A text that an operation has rejected. */
const rejected = (operation: string): Exchanged => ({
  mark: 'cfmar',
  knows: ({ texts }) => texts.rejected.set('cfmarkab', operation),
});
const marked = { ...tom, name: 'cfmarkab' };
const id = 9223372036854775807n;
const total = { at: '/total' };
const header = { header: 'X-Total-Count' };
const counted = (count: string): Exchanged => ({ headers: { 'x-total-count': count } });
/** For the check on the records of a list. */
export const listExamples: Record<string, CheckExamples> = {
  records: {
    sound: {
      'the record, as it was sent': listed([rex, tom], {
        has: [{ key: 1, like: { name: 'Rex' } }],
        distinct: true,
        page: asPage({}, '/data'),
      }),
      'a record on an earlier page': listed([tom], { has: [{ key: 1 }], page: asPage({ before: [rex] }) }),
      'a whole list without a record': whole([rex], { lacks: [2] }),
      'as many as it says, and the same as on another page': wholeIn(
        { total: 2, data: [rex, tom] },
        { total, covers: { of: [{ data: [rex, tom] }], in: [{ data: [rex] }], field: 'name', value: 'Rex' } },
      ),
      'a page beyond the last that has the last again': whole([rex, tom], { pages: [[rex], [tom], [tom]] }),
      'nothing of what was refused': listed([rex], { noneRefused: 'createPet' }, rejected('createPet')),
    },
    broken: {
      'no such record': [whole([tom], { has: [{ key: 1 }] }), 'present body'],
      'a list that goes on': [listed([tom], { has: [{ key: 1 }], page: asTurned({ isLast: true }) }), 'needs'],
      'a record that must not be there': [whole([rex], { lacks: ['1'] }), 'absent body/0'],
      'a large key twice': [
        listed(
          [
            { ...rex, id },
            { ...tom, id },
          ],
          { distinct: true },
        ),
        'distinct body/1/id',
      ],
      'other records than before': [whole([rex], { same: [[rex, tom]] }), 'same body'],
      'no more than there may be': [whole([rex], { moreThan: 1 }), 'more body'],
      'a page that is shorter than its limit, strictly': [listed(many(2), isFull, { strict: true }), 'full body'],
      'what was refused': [
        listed([rex, marked], { noneRefused: 'createPet' }, rejected('createPet')),
        'refused body/1/name',
      ],
      'no value of what was filtered by, beside others that have it': [
        listed([rex, tom], { every: { status: 'sold' } }),
        'filter body/1/status',
      ],
      'another number than a header field says': [
        whole([rex], { total: header }, counted('2')),
        'total header/x-total-count',
      ],
      'no number of all records': [wholeIn({ data: [rex] }, { total }), 'needs'],
      'a filtered list of several pages that lacks a record, while others write': [
        whole([rex], { covers: { of: [[rex, tom]], in: [[tom], [tom]], field: 'name', value: 'Rex' } }),
        'needs',
      ],
      'nothing that fits in the whole list': [
        whole([], { covers: { of: [[rex]], in: [[]], field: 'name', value: 'Tom' } }),
        'needs',
      ],
    },
  },
};
