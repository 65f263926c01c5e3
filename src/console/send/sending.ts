import { useRef, useState } from 'preact/hooks';
import { call } from '../api.js';
import { attempt, world } from '../state.js';
import type { Exchange, Violation } from '../types.js';
import { findLineOf } from './json-text.js';
import { nameField, type FormParameter, type Written } from './model.js';

/** What a request came to. */
export interface Answered {
  id: number;
  /** The world that it was sent to, which a header field may name. */
  world: string;
  /** The reason phrase of the status. */
  phrase: string;
  exchange: Exchange;
}

export interface Sending {
  answered: Answered | undefined;
  isSending: boolean;
  send: (written: Written, like: number | undefined) => Promise<void>;
}

export function useSending(): Sending {
  const [answered, setAnswered] = useState<Answered | undefined>(undefined);
  const [isSending, setSending] = useState(false);
  const last = useRef(0);
  const send = async (written: Written, like: number | undefined): Promise<void> => {
    const turn = (last.current += 1);
    setSending(true);
    await attempt(async () => {
      const body = { ...written, ...(like === undefined ? {} : { like }) };
      const sent = await call<Omit<Answered, 'exchange'>>('POST /console/send', { world: world.value, body });
      const exchange = await call<Exchange>(`GET /console/exchanges/${sent.id}`, { world: sent.world });
      // The mock may answer an earlier one later.
      if (turn === last.current) setAnswered({ ...sent, exchange });
    });
    if (turn === last.current) setSending(false);
  };
  return { answered, isSending, send };
}

/** What the mock said against the last request. */
function listBroken(answered: Answered | undefined): readonly Violation[] {
  return answered?.exchange.verdict === 'client' ? answered.exchange.violations : [];
}

export function marksOfField(parameter: FormParameter, answered: Answered | undefined): string[] {
  const name = nameField(parameter);
  return listBroken(answered)
    .filter(({ at }) => at === name || at.startsWith(`${name}/`))
    .map(({ message }) => message);
}

/** With the line of the text, where it is JSON. */
export function marksOfBody(text: string, answered: Answered | undefined, hasLines: boolean): string[] {
  return listBroken(answered)
    .filter(({ part }) => part === 'body')
    .map(({ pointer, message }) => (hasLines ? `Line ${findLineOf(text, pointer)}: ${message}` : message));
}
