import { lastSegment, type Ledger, type Sighting, type Span, type Touch } from './ledger.js';

/** The looks of one operation that lack what equal requests showed before and after. */
export interface Unsteady {
  operationId: string;
  kind: Sighting['kind'];
  /** Those that lack what was there. */
  wrong: readonly Sighting[];
  /** Those of them that no delay explains. */
  firm: readonly Sighting[];
  /** How many looks were at what was there. */
  of: number;
}

type Facts = Pick<Ledger, 'looks' | 'born' | 'touches'>;

/**
 * What was there before and after, and not in between. A record may be late, on one replica or on all, for as long as a
 * target needs after its creation (`settledMs`); nothing states how soon it has to be seen. One that was seen, was not
 * removed, and is missing after that time is there only now and then. Records of others may be removed at any time, and
 * so count only if they are seen again by the very same request.
 */
export function judgeLooks(facts: Facts, settledMs: number): Unsteady[] {
  const byOperation = groupBy(facts.looks, ({ operationId }) => operationId);
  return [...byOperation].flatMap(([operationId, looks]) => {
    const { kind } = looks[0] as Sighting;
    const judge = kind === 'record' ? judgeFetches : judgeLists;
    const groups = [...groupBy(looks, ({ request }) => request).values()];
    const found = groups.map((group) => judge(group.toSorted(inTime), facts, settledMs));
    const wrong = found.flatMap((each) => each.wrong);
    if (wrong.length === 0) return [];
    const isCut = found.some((each) => each.isCut === true);
    const isMixed = found.some((each) => each.isMixed === true);
    const isFirm = ({ shows }: Sighting): boolean => kind === 'record' || (!isMixed && (!isCut || shows.length > 0));
    const firm = found.flatMap((each) => each.firm.filter(isFirm));
    return [{ operationId, kind, wrong, firm, of: found.reduce((sum, each) => sum + each.of, 0) }];
  });
}

interface Judged extends Pick<Unsteady, 'wrong' | 'firm' | 'of'> {
  /** Whether a page ended early: then pages are of any length, and an empty one is one of them. */
  isCut?: boolean;
  /** Whether records stand now in one order, now in another, so that nobody can say where a page ended. */
  isMixed?: boolean;
}

function inTime(one: Sighting, other: Sighting): number {
  return one.sentAt - other.sentAt;
}

/** Looks at one record by one request. */
function judgeFetches(group: readonly Sighting[], { born, touches }: Facts, settledMs: number): Judged {
  const wrong: Sighting[] = [];
  const firm: Sighting[] = [];
  const birth = born.get(group[0]?.of ?? '');
  for (const look of group) {
    if (birth === undefined || look.shows.length > 0 || look.sentAt < birth.at) continue;
    const before = group.findLast((each) => each.answeredAt <= look.sentAt && each.shows.length > 0);
    const after = group.find((each) => each.sentAt >= look.answeredAt && each.shows.length > 0);
    const since = before?.answeredAt ?? birth.at;
    if (after === undefined || isTouched(look.path, { sentAt: since, answeredAt: after.sentAt }, touches)) continue;
    wrong.push(look);
    if (before !== undefined && look.sentAt - birth.at > settledMs) firm.push(look);
  }
  return { wrong, firm, of: group.filter(({ shows }) => shows.length > 0).length + wrong.length };
}

/** So many records of others are not all created at once, and late. */
export const SEVERAL = 3;

/** Looks at a list by one request, which is not filtered. */
function judgeLists(group: readonly Sighting[], { born, touches }: Facts, settledMs: number): Judged {
  const longest = Math.max(...group.map(({ shows }) => shows.length));
  const touched = new Set(touches.flatMap(({ path }) => path.split('/').map(lastSegment)));
  const isMixed = group.some((look, index) => index > 0 && !isInOrder(look, group[index - 1] as Sighting));
  const judged: Judged & { wrong: Sighting[]; firm: Sighting[] } = { wrong: [], firm: [], of: group.length, isMixed };
  for (const look of group) {
    // A full page may have no room for what it lacks.
    if (look.shows.length >= longest) continue;
    const has = new Set(look.shows);
    const isMore = ({ shows }: Sighting): boolean => shows.some((each) => !has.has(each));
    const before = group.findLast((each) => each.answeredAt <= look.sentAt && isMore(each));
    const after = group.find((each) => each.sentAt >= look.answeredAt && isMore(each));
    if (before === undefined || after === undefined) continue;
    const again = new Set(after.shows);
    const lacks = before.shows.filter(
      (each) => again.has(each) && !has.has(each) && !touched.has(each.slice(each.indexOf(' ') + 1)),
    );
    if (lacks.length === 0) continue;
    if (!isHole(look, lacks, [before, after])) {
      judged.isCut = true;
      continue;
    }
    judged.wrong.push(look);
    const isOld = (each: string): boolean => look.sentAt - (born.get(each)?.at ?? 0) > settledMs;
    const others = lacks.filter((each) => born.get(each)?.isOwn !== true);
    if (others.length >= SEVERAL || lacks.some(isOld)) judged.firm.push(look);
  }
  return judged;
}

/** Whether a list goes on after what it lacks: a short page ends before it. An empty one does neither. */
function isHole({ shows }: Sighting, lacks: readonly string[], others: readonly Sighting[]): boolean {
  if (shows.length === 0) return true;
  const has = new Set(shows);
  return lacks.some((lacked) =>
    others.every((other) => other.shows.slice(other.shows.indexOf(lacked) + 1).some((each) => has.has(each))),
  );
}

/** Whether what both show stands in the same order in both. */
function isInOrder(one: Sighting, other: Sighting): boolean {
  const [ofOne, ofOther] = [new Set(one.shows), new Set(other.shows)];
  const common = one.shows.filter((each) => ofOther.has(each));
  return common.join('\n') === other.shows.filter((each) => ofOne.has(each)).join('\n');
}

/** Whether a request that may remove a record was under way in a time. */
function isTouched(path: string, { sentAt, answeredAt }: Span, touches: readonly Touch[]): boolean {
  return touches.some(
    (touch) => touch.answeredAt >= sentAt && touch.sentAt <= answeredAt && isWithin(path, touch.path),
  );
}

/** Whether what is written at a path may concern another: they are one, or one of them is below the other. */
export function isWithin(path: string, other: string): boolean {
  return `${path}/`.startsWith(`${other}/`) || other.startsWith(`${path}/`);
}

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
