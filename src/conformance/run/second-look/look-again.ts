import { keyOfJson } from '../../../contract/document/same-json.js';
import type { Need } from '../../judge/check.js';
import type { Doubt } from '../../model/doubt.js';
import type { ExchangeResult, Finding } from '../../model/result.js';
import { judgeAddress } from './judge-address.js';
import { judgeGone } from './judge-gone.js';
import { judgeHidden } from './judge-hidden.js';
import { judgeMove } from './judge-move.js';
import { judgeOwn } from './judge-own.js';
import { judgeSwitch } from './judge-switch.js';
import type { Look } from './look.js';
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

/** How many records get a second look for one scenario; the others are judged like the last of them. */
const MOST_LOOKS = 6;

/**
 * Takes a second look at findings that a choice of a gap may explain, when
 * waiting no longer helps: an explained finding is not a deviation.
 */
export async function settleDoubts(outcomes: readonly Doubted[], run: Run): Promise<void> {
  const looks = new Map<string, Look>();
  let last: Look = 'defect';
  for (const outcome of outcomes) {
    for (const doubtful of outcome.doubtful) {
      if (run.signal.aborted) return;
      const key = `${doubtful.doubt.kind} ${String(keyOfJson(doubtful.doubt.id))} ${doubtful.sent.wire.target}`;
      if (!looks.has(key) && looks.size < MOST_LOOKS) looks.set(key, await lookOnce(doubtful, run));
      last = looks.get(key) ?? last;
      explain(doubtful, last, outcome);
    }
  }
}

/** A look, unless earlier ones of the run tell what it would come to. */
async function lookOnce(doubtful: Doubtful, run: Run): Promise<Look> {
  const question = `${doubtful.doubt.kind} ${doubtful.sent.sent.operation?.id ?? ''}`;
  return (
    run.looks.foresee(question) ?? run.looks.conclude(question, await look(doubtful, { ...run, send: run.looks.send }))
  );
}

async function look(doubtful: Doubtful, run: Run): Promise<Look> {
  const found = await lookAt(doubtful, run);
  const { doubt, sent } = doubtful;
  const isOfLacking = doubt.kind === 'gone' || doubt.kind === 'hidden' || doubt.kind === 'switch';
  return found === 'defect' && isOfLacking && doubt.id !== undefined ? judgeHidden(doubt.id, sent.sent, run) : found;
}

async function lookAt({ doubt, sent }: Doubtful, run: Run): Promise<Look> {
  if (doubt.kind === 'address') return judgeAddress(doubt, sent.wire, run);
  // Time does not explain it if a create answers with another record.
  if (sent.sent.method !== 'GET') return 'defect';
  if (doubt.kind === 'move') return judgeMove(doubt, sent.wire, run);
  if (doubt.kind === 'own') return judgeOwn(doubt, sent.sent, run);
  if (doubt.kind === 'hidden') return 'defect';
  if (doubt.kind === 'gone') {
    const found = await judgeGone(doubt, run);
    return found === 'defect' && doubt.or !== undefined ? judgeSwitch(doubt.or, sent.wire, run) : found;
  }
  return judgeSwitch(doubt, sent.wire, run);
}

function explain({ finding }: Doubtful, found: Look, outcome: Doubted): void {
  if (found === 'defect') return;
  if (found === 'fine') {
    const { findings } = outcome.exchange;
    if (findings.includes(finding)) findings.splice(findings.indexOf(finding), 1);
    return;
  }
  outcome.needs.push({ needs: found.needs });
  finding.severity = 'information';
}
