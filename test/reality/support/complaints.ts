// What is wrong with a run, in one word each, so that a case is one line of a table.
import { alertmanager } from '../services/alertmanager.js';
import { directus } from '../services/directus.js';
import { djangoRest } from '../services/django-rest.js';
import { fastapi } from '../services/fastapi.js';
import { powerdns } from '../services/powerdns.js';
import { unleash } from '../services/unleash.js';
import { wiremock } from '../services/wiremock.js';
import { judge, type Judged } from './judge.js';
import type { Program } from './kit.js';

const programs = [powerdns, alertmanager, directus, unleash, wiremock, fastapi, djangoRest];

/**
 * - told: the run tells a problem where there is none
 * - missed: it does not tell of the operation that is broken
 * - many: it tells one defect as more than four problems
 * - exit: its exit code is another than what it tells requires
 * - touched: a record of the owner is changed or gone
 * - moved: a sequence is beyond what was made
 * - costly: it takes many times the requests that it takes without the habit
 * - left: records of the run are there, and the result does not say how many
 * - kept: records of the run are there that could be removed
 */
export type Complaint = 'told' | 'missed' | 'many' | 'exit' | 'touched' | 'moved' | 'left' | 'kept' | 'costly';

/** What still fails, and why that is not right by the document. The list shrinks: what is mended here is red until it is taken off. */
export type Open = Readonly<Record<string, { fails: readonly Complaint[]; because: string }>>;

const MOST_PROBLEMS = 4;

/** How many times the requests a second look at what is found may cost. */
const MOST_COST = 3;

/** What a program with a defect changes shows at once: nothing is to be waited for. */
const AT_ONCE_MS = 500;

/** What is wrong with the run at a program as it is. */
export async function judgeForm(row: string): Promise<Complaint[]> {
  const judged = await judgeRow(row);
  return show(row, judged, complain(judged));
}

/**
 * What is wrong with the run at a program with habits, given as a row of a table (`powerdns late`): legal ones, or a defect
 * that shows at some operations. What is wrong without them is not counted: that is the business of the program's own row.
 */
export async function judgeHabit(row: string, shownAt?: readonly string[]): Promise<Complaint[]> {
  const settleMs = shownAt === undefined ? undefined : AT_ONCE_MS;
  const [judged, sound] = [await judgeRow(row, settleMs), await judgeSound(row.split(' ')[0] ?? '', settleMs)];
  return show(row, judged, complainBeyond(judged, sound, shownAt));
}

async function judgeRow(row: string, settleMs?: number): Promise<Judged> {
  const [name, ...habits] = row.split(' ');
  const program = programs.find((each: Program) => each.name === name);
  if (program === undefined) throw new Error(`There is no program ${name}.`);
  return judge(program, habits, settleMs);
}

const sound = new Map<string, Promise<Judged>>();

function judgeSound(name: string, settleMs?: number): Promise<Judged> {
  const judged = sound.get(`${name} ${settleMs}`) ?? judgeRow(name, settleMs);
  sound.set(`${name} ${settleMs}`, judged);
  return judged;
}

/** What is wrong with a run at a program that does nothing wrong. */
export function complain(judged: Judged): Complaint[] {
  const { exit, told, touched, moved, left, there, leftSaid, hasLasting } = judged;
  return pick({
    told: told.length > 0,
    exit: exit !== (told.length > 0 ? 1 : 0),
    touched: touched.length > 0,
    moved: moved.length > 0,
    left: leftSaid < left || leftSaid > there,
    kept: left > 0 && !hasLasting,
  });
}

/** What is wrong with a run at a program with habits, beyond what is wrong without them. */
export function complainBeyond(judged: Judged, without: Judged, shownAt?: readonly string[]): Complaint[] {
  const before = new Set(without.told.map(({ id }) => id));
  const told = judged.told.filter(({ id }) => !before.has(id));
  const isFound = told.some(({ operations }) => operations.some((each) => shownAt?.includes(each)));
  const harm = complain(judged).filter((each) => each !== 'told' && !complain(without).includes(each));
  const isDefect = shownAt !== undefined;
  const costly = judged.requests > MOST_COST * without.requests;
  const wrong = { told: told.length > 0, missed: !isFound, many: told.length > MOST_PROBLEMS, costly };
  return [...pick({ ...wrong, ...(isDefect ? { told: false } : { missed: false, many: false }) }), ...harm];
}

function pick(wrong: Partial<Record<Complaint, boolean>>): Complaint[] {
  return (Object.keys(wrong) as Complaint[]).filter((each) => wrong[each]);
}

/** Prints a line of the table that these tests are, with what the run told below it. */
function show(row: string, judged: Judged, complaints: Complaint[]): Complaint[] {
  const { requests, ms, told, left, leftSaid, touched, moved } = judged;
  const figures = `${requests} requests, ${Math.round(ms / 100) / 10} s, left ${left} (said ${leftSaid})`;
  const harm = [...touched, ...moved].slice(0, 3).join(', ');
  const lines = told.map(({ headline }) => `    ${headline}\n`).join('');
  process.stdout.write(
    `${complaints.length === 0 ? 'fair' : complaints.join(' ')}  ${row}: ${figures} ${harm}\n${lines}`,
  );
  return complaints;
}
