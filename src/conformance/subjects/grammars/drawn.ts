// What is drawn from grammars, by the seed of a release, and as much of it as a run spends on it.
import { recordTypeOf } from '../../../contract/resources/plain-roles.js';
import { readAsOf } from './releases.js';
import type { Row } from '../../model/raw-scenario.js';
import { createChance, type Chance } from './chance.js';
import { drawEqualTexts } from './equal-texts.js';
import { drawFields } from './http-fields.js';
import { WRITINGS, writeOtherwise } from './json-texts.js';
import { wrap } from '../request-body.js';
import { isOwnText } from '../records/unique-texts.js';
import { boundLimits, sizeParameter } from '../tables/lists/bounds.js';
import { quoteTexts, writeTemplate } from '../tables/odd.js';
import type { TableSource } from '../tables/table-source.js';
import { isAnyText } from '../tables/texts.js';
import { changeFields } from '../tables/values.js';

/** How many a run spends on each grammar: one request for a field, two for a text, three for a pair. */
const SPENT = { fields: 8, pairs: 2, queries: 2 };

function drawFor(name: string, { contract }: TableSource): Chance | undefined {
  const { seed } = readAsOf(contract.asOf);
  return seed === undefined ? undefined : createChance(seed, name);
}

/** Header fields (RFC 9110), but for those that the contract gives a meaning of its own. */
export function listDrawnFields(source: TableSource): Row[] {
  const draw = drawFor('fields', source);
  const get = source.subject.roles.get?.operation;
  const answers = get?.responses.filter(({ status }) => status.startsWith('2')) ?? [];
  const types = answers.flatMap(({ content }) => content.map(({ mediaType }) => mediaType));
  if (
    draw === undefined ||
    get === undefined ||
    types.length === 0 ||
    types.some((type) => type !== 'application/json')
  )
    return [];
  const named = new Set(get.parameters.map(({ name }) => name.toLowerCase()));
  return drawFields(draw)
    .filter(({ name }) => !named.has(name.toLowerCase()))
    .slice(0, SPENT.fields)
    .map(({ production, name, value }) => ({
      id: production,
      words: `with \`${name}: ${value}\``,
      headers: { ...leaveOutOwn(name), [name]: value },
    }));
}

/** In place of the run's own, whose name has other letters. */
function leaveOutOwn(name: string): Record<string, null> {
  const own = ['Accept', 'Accept-Encoding', 'User-Agent'].find((each) => each.toLowerCase() === name.toLowerCase());
  return own === undefined ? {} : { [own]: null };
}

/** The full record, each time as the same JSON in other letters (RFC 8259). */
export function listDrawnTexts(source: TableSource): Row[] {
  const draw = drawFor('texts', source);
  const { create } = source.subject.roles;
  if (draw === undefined || create === undefined || recordTypeOf(create.operation) !== 'application/json') return [];
  const { full, plain } = source.made;
  const json = writeTemplate(wrap(quoteTexts(full, plain), create.requestMember));
  return Object.entries(WRITINGS).flatMap(([id, writing]) => {
    const text = writeOtherwise(json, writing, draw);
    return text === json ? [] : [{ id, words: writing.words, body: { text } }];
  });
}

/** Two texts that are one to a reader who folds letters (Unicode Standard Annex 15), behind the same text of the run's own. */
export function listDrawnPairs(source: TableSource): Row[] {
  const draw = drawFor('pairs', source);
  const { made, subject } = source;
  if (draw === undefined || subject.roles.create?.success.body !== 'record') return [];
  const given = subject.fields.filter(({ name }) => Object.hasOwn(made.full, name));
  const put = (text: string): Record<string, unknown> =>
    changeFields(given, (field, own) => (isAnyText(field, own) && isOwnText(own) ? text : undefined), source);
  return drawEqualTexts(draw)
    .slice(0, SPENT.pairs)
    .flatMap(({ form, words, one, other }) => {
      const [first, second] = [put(`{$unique} ${one}`), put(`{$steps.first.outputs.unique} ${other}`)];
      if (Object.keys(first).length === 0 || Object.keys(second).length === 0) return [];
      return [{ id: form, words, record: { ...made.full, ...first }, second: { ...made.full, ...second } }];
    });
}

/** The length of a page, with letters of its name and its value as percent escapes in either case (RFC 3986 section 6.2.2). */
export function listDrawnQueries(source: TableSource): Row[] {
  const draw = drawFor('queries', source);
  const size = sizeParameter(source.subject.roles.list?.list?.paging);
  const isAllowed = boundLimits(source, [1]).length > 0;
  if (draw === undefined || size === undefined || !isAllowed) return [];
  const escape = (text: string): string =>
    Array.from(text, (sign) => {
      const digits = `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;
      return draw.maybe(0.6) && /[\w.~-]/.test(sign) ? (draw.maybe() ? digits.toUpperCase() : digits) : sign;
    }).join('');
  return Array.from({ length: SPENT.queries }, (_, index) => ({
    id: String(index + 1),
    limit: 1,
    query: `${escape(size)}=${escape('1')}`,
  }));
}
