import type { Operation } from '../../../../contract/model.js';
import { NONE, OTHER } from '../../../../contract/gaps/profile.js';
import type { Conclusion, CreateObserver } from './observer.js';
import { isDone, type SeenExchange } from './seen-exchange.js';

const DAY_MS = 86_400_000;

/** At which hour the deprecated operation is removed, as `Sunset` announces it (RFC 8594). */
export const createRemovalHourObserver: CreateObserver = ({ contract }) => {
  const announced = new Set<string>();
  const removalDay = contract.operations.find(({ sunset }) => sunset !== undefined)?.sunset;
  return {
    note({ sent, headers }) {
      const { sunset } = headers;
      if (sent.operation?.deprecated === true && sunset !== undefined) announced.add(sunset);
    },
    conclude() {
      const [sunset] = announced;
      if (sunset === undefined || removalDay === undefined) {
        return { notObserved: 'no Sunset was sent, and the operation is not removed yet' };
      }
      const evidence = `Sunset: ${sunset}`;
      if (announced.size > 1) return { answer: OTHER, evidence: 'Sunset differs between responses' };
      const day = Date.parse(`${removalDay}T00:00:00Z`);
      const hours = new Map([
        [day, 'start-of-day'],
        [day + DAY_MS, 'end-of-day'],
      ]);
      return { answer: hours.get(Date.parse(sunset)) ?? OTHER, evidence };
    },
  };
};

/** What the deprecated operation answers after its removal; before that day, only a 410 shows anything. */
export const createAfterRemovalObserver: CreateObserver = ({ contract, now, watched }) => {
  const statuses = new Set<number>();
  const created = new Set<unknown>();
  const operation = contract.operations.find(({ sunset }) => sunset !== undefined);
  return {
    note(exchange) {
      const { sent, status } = exchange;
      const made = watched?.readCreated(exchange)?.[watched.key];
      if (made !== undefined) created.add(made);
      if (operation === undefined || sent.operation?.id !== operation.id || !sent.authorized) return;
      const isKnown = Object.values(sent.path).some((id) => created.has(id));
      if (status === 410 || isKnown) statuses.add(status);
    },
    conclude: () => concludeRemoval(statuses, operation, now),
  };
};

function concludeRemoval(statuses: ReadonlySet<number>, operation: Operation | undefined, now: number): Conclusion {
  const evidence = `${operation?.method} ${operation?.path} → ${[...statuses].join(', ')}`;
  if (statuses.size === 1 && statuses.has(410)) return { answer: 'gone-410', evidence };
  const isOver = operation?.sunset !== undefined && now >= Date.parse(`${operation.sunset}T00:00:00Z`) + DAY_MS;
  if (!isOver) return { notObserved: `the operation is served until ${operation?.sunset ?? 'it is removed'}` };
  if (statuses.size === 0) return { notObserved: 'no record that this run created was requested' };
  if (statuses.size > 1) return { answer: OTHER, evidence };
  const [status = 0] = statuses;
  if (isDone({ status })) return { answer: 'still-served', evidence };
  return { answer: status === 404 ? 'not-found-404' : OTHER, evidence };
}

/** `Deprecation` on the deprecated operation (RFC 9745). */
export const createDeprecationObserver: CreateObserver = () => {
  const seen = new Set<string | undefined>();
  return {
    note(exchange: SeenExchange) {
      if (exchange.sent.operation?.deprecated !== true || !isDone(exchange)) return;
      seen.add(exchange.headers['deprecation']);
    },
    conclude() {
      const [value] = seen;
      if (seen.size === 0) return { notObserved: 'the deprecated operation gave no record' };
      if (seen.size > 1) return { notObserved: 'Deprecation differs between responses' };
      return { answer: value ?? NONE, evidence: value === undefined ? 'in no response' : 'in every response' };
    },
  };
};
