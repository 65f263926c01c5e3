import { readPage, turnPage } from '../../judge/page-end.js';
import type { AskedPage } from '../../model/page-walk.js';
import { readBody } from '../read-answer.js';
import { bindPages } from '../../subjects/pages.js';
import { askRole, type Asking } from './ask-role.js';
import { isOwn, listShown, type Guest, type Guests, type Visited } from './guests.js';

/** So many pages of a list are read: one that others have filled may be as long as it likes. */
const MOST_PAGES = 10;

/** A record that a list shows. */
type Shown = Guest & { record: object };

/** The records of a list that are the run's own, by what they say. */
export async function findOwn(visited: Visited, guests: Guests, asking: Asking): Promise<Guest[]> {
  return findShown(visited, (guest) => isOwn(guest, guests), asking);
}

/** The records of a list that pass a test. */
export async function findShown(
  visited: Visited,
  isWanted: (shown: Shown) => boolean,
  asking: Asking,
): Promise<Shown[]> {
  const { subject, scope } = visited;
  const { list } = subject.roles;
  if (list === undefined) return [];
  const { walk, parameters } = bindPages(subject, { atMost: MOST_PAGES }, asking.prepareOptions.contract);
  let found: Shown[] = [];
  let before: readonly unknown[] = [];
  let lastLength: number | undefined;
  let turn: unknown = null;
  for (let number = 1; number <= walk.atMost && turn !== undefined && !asking.signal.aborted; number++) {
    const page: AskedPage = { turn, before, lastLength, isLast: number === walk.atMost, walk };
    const turning = walk.parameter === undefined ? {} : { [walk.parameter]: turn };
    const answer = await askRole(list, scope, asking, { query: { ...parameters, ...turning } });
    if (answer.kind === 'unanswered') return found;
    const body = readBody(answer);
    const shown = {
      status: answer.status,
      headers: answer.headers,
      body: body.kind === 'json' ? body.value : undefined,
    };
    const read = readPage(shown, page, 0);
    if (read === undefined) return found;
    found = found.concat(listShown(visited, shown.body).filter(isWanted));
    turn = turnPage(shown, page);
    before = before.concat(read.records);
    lastLength = read.records.length;
  }
  return found;
}
