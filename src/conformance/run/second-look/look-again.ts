import { keyOfJson, sameJson } from '../../../contract/document/same-json.js';
import type { Need } from '../../judge/check.js';
import type { Doubt } from '../../model/doubt.js';
import { NEEDS_FULL_PAGES } from '../../judge/limit.js';
import type { ExchangeResult, Finding } from '../../model/result.js';
import { judgeAbsence, judgeSurplus } from './judge-absence.js';
import { isPageShort } from './is-page-short.js';
import { judgeAddress } from './judge-address.js';
import { judgeGone } from './judge-gone.js';
import { judgeMove } from './judge-move.js';
import { judgeOwn } from './judge-own.js';
import { judgeStatus } from './judge-status.js';
import { judgeSwitch } from './judge-switch.js';
import { SHORT_PAGES, type Look } from './look.js';
import type { PreparedRequest } from '../../wire/request/prepare-request.js';
import type { Run } from '../run.js';

/** A finding that a choice of a gap may explain, with the request that shows it. */
export interface Doubtful {
  finding: Finding;
  doubt: Doubt;
  sent: PreparedRequest;
}

/** What doubts are about, of one exchange. */
interface Doubted {
  exchange: ExchangeResult;
  doubtful: readonly Doubtful[];
  needs: Need[];
}

/** How many pets get a second look for one scenario; the others are judged like the last of them. */
const MOST_LOOKS = 6;

/**
 * Takes a second look at findings that a choice of a gap may explain, when
 * waiting no longer helps: an explained finding is not a deviation, unless
 * the run is strict.
 */
export async function settleDoubts(outcomes: readonly Doubted[], run: Run): Promise<void> {
  // First whether pages are short, since that may explain what else is in doubt.
  await settleThose(outcomes, isShort, run);
  if (outcomes.some(({ exchange }) => showsShortPage(exchange))) run.memory.hasShortPages = true;
  await settleThose(outcomes, (doubt) => !isShort(doubt), run);
}

function isShort({ kind }: Doubt): boolean {
  return kind === 'short';
}

async function settleThose(outcomes: readonly Doubted[], isMeant: (doubt: Doubt) => boolean, run: Run): Promise<void> {
  const looks = new Map<string, Look>();
  let last: Look = 'defect';
  for (const outcome of outcomes) {
    for (const doubtful of outcome.doubtful.filter(({ doubt }) => isMeant(doubt))) {
      if (run.signal.aborted) return;
      const key = `${doubtful.doubt.kind} ${String(keyOfJson(doubtful.doubt.id))} ${doubtful.sent.wire.target}`;
      if (!looks.has(key) && looks.size < MOST_LOOKS) looks.set(key, await lookOnce(doubtful, run));
      last = looks.get(key) ?? last;
      explain(doubtful, last, { outcome, run });
    }
  }
}

/** What is no list at all says nothing of pages. */
function showsShortPage({ findings }: ExchangeResult): boolean {
  const isList = !findings.some(({ check, at }) => check === 'body' && at === 'body');
  return isList && findings.some(({ gap }) => gap?.id === 'short-pages');
}

/** A look, unless earlier ones of the run tell what it would come to. */
async function lookOnce(doubtful: Doubtful, run: Run): Promise<Look> {
  const question = `${doubtful.doubt.kind} ${doubtful.sent.sent.operation?.id ?? ''}`;
  return (
    run.looks.foresee(question) ?? run.looks.conclude(question, await look(doubtful, { ...run, send: run.looks.send }))
  );
}

async function look({ doubt, sent }: Doubtful, run: Run): Promise<Look> {
  if (doubt.kind === 'address') return judgeAddress(doubt, sent.wire, run);
  // Time does not explain it if a create answers with another pet.
  if (sent.sent.method !== 'GET') return 'defect';
  if (doubt.kind === 'status') return judgeStatus(doubt, sent.wire, run);
  if (doubt.kind === 'move') return judgeMove(doubt, sent.wire, run);
  if (doubt.kind === 'own') return judgeOwn(doubt, sent.sent, run);
  if (doubt.kind === 'gone') return judgeGone(doubt, run);
  if (doubt.kind === 'switch') return judgeSwitch(doubt, sent.wire, run);
  // A page that is short indeed is judged as it was.
  if (doubt.kind === 'short') return (await isPageShort(doubt, run)) ? 'defect' : CHANGES;
  return doubt.kind === 'absent' ? judgeAbsence(doubt, sent.wire, run) : judgeSurplus(doubt, run);
}

function explain({ finding, doubt }: Doubtful, found: Look, { outcome, run }: { outcome: Doubted; run: Run }): void {
  if (found === 'defect') return;
  if (found === 'fine') {
    const { findings } = outcome.exchange;
    if (findings.includes(finding)) findings.splice(findings.indexOf(finding), 1);
    return;
  }
  if ('gap' in found) {
    finding.gap = found.gap;
    if (found.gap.id === 'short-pages') run.memory.hasShortPages = true;
    else run.memory.moved.add(keyOfJson(doubt.id));
  }
  // It is not that the page is short.
  if (isShort(doubt)) delete finding.gap;
  // A page that may be shorter does not prove that a pet is missing.
  const needs = 'needs' in found ? found.needs : sameJson(found, SHORT_PAGES) ? NEEDS_FULL_PAGES : undefined;
  if (needs !== undefined) outcome.needs.push({ needs });
  if (needs !== undefined || !run.strict) finding.severity = 'information';
}

const CHANGES: Look = {
  needs: 'a list that nobody else changes while its pages are compared; run when the target is quiet',
};
