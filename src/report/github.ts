import type { RunResult } from '../conformance/result.js';
import { formatCurl } from './curl.js';
import { groupFaults, type Fault } from './faults.js';
import type { ReportFormat } from './report.js';
import {
  cut,
  findPlace,
  formatAgain,
  spellOut,
  summarizeActual,
  summarizeAnswer,
  summarizeRequest,
} from './summarize.js';

/** Workflow commands of GitHub Actions: an annotation for each fault, at its line of the contract. */
export const githubReport: ReportFormat = { name: 'github', file: undefined, write: writeAnnotations };

const MAX_ANNOTATIONS = 50;

function writeAnnotations(result: RunResult): string {
  const faults = groupFaults(result);
  const left = faults.length - MAX_ANNOTATIONS;
  const lines = faults.slice(0, MAX_ANNOTATIONS).map((fault) => annotate(fault, result));
  return [...lines, ...(left > 0 ? [`and ${left} more faults without an annotation`] : [])]
    .map((line) => `${line}\n`)
    .join('');
}

function annotate(fault: Fault, result: RunResult): string {
  const { scenario, exchange, finding } = fault;
  const place = findPlace(fault, result);
  const properties = [
    `file=${escapeProperty(place.file)}`,
    `line=${place.line ?? 1}`,
    `title=${escapeProperty(cut(`${scenario.id}: ${scenario.title}`, 200))}`,
  ];
  const message = [
    `${summarizeRequest(exchange)} → ${summarizeAnswer(exchange)}`,
    `expected ${finding.expected}`,
    `actual ${summarizeActual(fault)}`,
    `again ${formatAgain(fault, result)}`,
    formatCurl(result.target, exchange),
  ].map((line) => cut(spellOut(line), 500));
  return `::error ${properties.join(',')}::${escapeMessage(message.join('\n'))}`;
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeMessage(spellOut(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
