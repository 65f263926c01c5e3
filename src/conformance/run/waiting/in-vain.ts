// What waiting was seen not to help: a value that is kept wrong is wrong however often it is asked for.
import { isOfField } from '../../model/record-rules.js';
import type { ExchangeResult } from '../../model/result.js';

/** How many waits must have been in vain: values that a target shows late come in some of them. */
const ENOUGH = 3;

/** What came of an exchange. */
interface Outcome {
  exchange: Pick<ExchangeResult, 'operationId' | 'findings'>;
  unmet: unknown;
}

/** The fields, by operation, whose differences stayed however long a scenario waited, and the filters that let others through. */
export interface InVain {
  /** Whether everything that is wrong has stayed wrong before, as often as it takes. */
  isHopeless(outcomes: readonly Outcome[]): boolean;
  /** Records that a wait is over, and these differences are still there. */
  stayed(outcomes: readonly Outcome[]): void;
  /** Records that what differed in a scenario has settled: this target shows something late. */
  settled(): void;
}

export function createInVain(): InVain {
  const counts = new Map<string, number>();
  return {
    isHopeless(outcomes) {
      const signs = outcomes.map(listSigns);
      return (
        signs.flat().length > 0 &&
        signs.every((each) => each?.every((sign) => (counts.get(sign) ?? 0) >= ENOUGH) === true)
      );
    },
    stayed(outcomes) {
      for (const sign of new Set(outcomes.flatMap((outcome) => listSigns(outcome) ?? [])))
        counts.set(sign, (counts.get(sign) ?? 0) + 1);
    },
    settled: () => counts.clear(),
  };
}

/** The fields that differ; `undefined` if something else is wrong as well. */
function listSigns({ exchange, unmet }: Outcome): string[] | undefined {
  const { operationId = '', findings } = exchange;
  const isOfValue = (rule: string): boolean => isOfField(rule) || rule === 'filter';
  if (unmet !== undefined || !findings.every(({ check, rule }) => OF_RECORDS.has(check) && isOfValue(rule)))
    return undefined;
  return findings.map(({ rule, at }) => `${operationId} ${rule} ${at.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`);
}

const OF_RECORDS: ReadonlySet<string> = new Set(['record', 'records', 'own-records']);
