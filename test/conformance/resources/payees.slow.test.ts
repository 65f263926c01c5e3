// A service that keeps payees of two kinds, told apart by a discriminator, under keys with a prefix.
import { randomBytes } from 'node:crypto';
import { words } from '../../support/words.js';
import { listReasons } from './support/judge-service.js';
import type { Schema } from './support/odd-resource.js';
import { serveShelf } from './support/shelf.js';
import { fail, judgeStranger, type Answer, type Item, type Serve } from './support/stranger.js';
import { createFit, readContract, type Fit } from './support/strangers.js';
import { testService } from './support/test-service.js';

type Has = (change: string) => boolean;

/** What is kept of what was sent. */
function change(body: Item, has: Has): Item {
  const kept: Item = { ...body, payeeId: `pay_${randomBytes(8).toString('hex')}` };
  const nickname = String(body['nickname']);
  if (has('letters-decoded')) kept['nickname'] = Buffer.from(nickname).toString('latin1');
  if (has('signs-escaped')) kept['nickname'] = nickname.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (has('null-emptied') && body['memo'] === null) kept['memo'] = '';
  if (has('company-seat-lost')) delete kept['seat'];
  const labels = Object.entries(body['labels'] ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  if (has('labels-lowered') && 'labels' in body) kept['labels'] = Object.fromEntries(labels);
  return kept;
}

function show(item: Item, has: Has): Item {
  const shown: Item = { ...item, ...(has('more-fields') ? { bank: { name: 'none' } } : {}) };
  if (has('registry-hidden')) delete shown['registry'];
  if (has('nulls-dropped')) return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
  return shown;
}

/** With some of its habits changed. */
function servePayees(has: Has): Serve {
  const fit = createRules(has);
  return serveShelf('payees', {
    keyProperty: 'payeeId',
    keep: (body) => change(body, has),
    show: (item) => show(item, has),
    refuse: (body, asked): Answer | undefined => {
      const sent = JSON.stringify(body);
      const isBeyond = /[^\0-\x7F]/.test(sent);
      if (isBeyond && has('letters-crash')) return fail(500);
      if ((isBeyond && has('letters-refused')) || (has('signs-refused') && /[<>&]/.test(sent))) return fail(400);
      return fit(body, asked);
    },
    answer: ({ method, path: [, key, ...rest] }, items) => {
      if (rest.length > 0 || !['GET', 'POST', 'DELETE'].includes(method)) return fail(rest.length > 0 ? 404 : 405);
      const isThere = key === undefined || items.some(({ payeeId }) => payeeId === key);
      return !isThere && has('unknown-found') ? { status: 200, body: items[0] } : undefined;
    },
    list: (items) => {
      const shown = (has('newest-first') ? items.toReversed() : items).map((item) => show(item, has));
      return { status: 200, body: { items: shown, total: shown.length } };
    },
  });
}

/** What the contract says of a request, apart from what is not looked at. */
function createRules(has: Has): Fit {
  const { components } = readContract('payees');
  const fieldsOf = ({ properties = {} }: Schema): Record<string, Schema> => properties as Record<string, Schema>;
  const { Common = {}, PersonInput = {}, CompanyInput = {}, PayeeInput = {} } = components.schemas;
  const { branches = {} } = fieldsOf(Common);
  // By draft 7, which the validator has, these are the items one by one.
  if (has('first-branch-checked')) branches['items'] = [branches['items']];
  if (has('branch-fields-unchecked')) branches['items'] = { type: 'object' };
  const [, person = {}] = PersonInput['allOf'] as Schema[];
  const [common, company = {}] = CompanyInput['allOf'] as Schema[];
  if (has('code-end-open')) fieldsOf(person)['taxCode'] = { type: 'string', pattern: '^[A-Z]{2}[0-9]{6}' };
  if (has('company-unchecked')) CompanyInput['allOf'] = [common, { properties: { kind: fieldsOf(company)['kind'] } }];
  return createFit({ record: PayeeInput }, components);
}

const MUTANTS = {
  'code-end-open': /^payees_create accepts `taxCode` "[A-Z]{2}\d{6}~".* though it must be a text that matches/,
  'first-branch-checked': /^payees_create accepts `branches\/1/,
  'branch-fields-unchecked': /^payees_create accepts .*`branches\/1\/(?:town|floor)`/,
  'company-unchecked': /^payees_create accepts a body without `registry`, `registry` "HR\d{4}/,
  'company-seat-lost': /^`seat` is not as it was sent/,
  'registry-hidden': /^`registry` of a record is missing in responses of payees_/,
  'letters-decoded': /^`nickname` is not as it was sent .*: "Zo\u00C3/,
  'letters-crash': /^payees_create fails with 500/,
  'signs-escaped': /^`nickname` is not as it was sent .*&amp;/,
  'null-emptied': /^`memo` is not as it was sent .*: "" instead of null$/,
  'labels-lowered': /^`labels\/\w+` is not as it was sent/,
  'unknown-found': /^payees_get returns (?:another record|200 instead of 404)/,
};

/** Records of each kind, nulls, letters, signs and a key that no record has. */
const TRIED = words`values[kind-2] values[lowest] texts[letters] texts[signs] unknown`;

testService('service that keeps payees', {
  judge: (changes, only) =>
    judgeStranger(
      readContract('payees'),
      servePayees((name) => changes.includes(name)),
      only,
      { settleMs: 30 },
    ),
  mutants: Object.entries(MUTANTS).map(([name, headline]) => [name, 'payees/*', headline]),
  variants: ['nulls-dropped newest-first', 'more-fields signs-refused', 'letters-refused'],
  least: [50, 50],
  listWrong: (result) => [
    ...listReasons(result),
    ...TRIED.filter((id) => result.scenarios.every((each) => each.id !== `payees/records/${id}`)),
  ],
});
