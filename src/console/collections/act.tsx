import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { QuietButton, Button } from '../parts/panel.js';
import { moveFocus, settleFocus } from '../parts/focus.js';
import { ask, attempt, world } from '../state.js';

export interface WayBack {
  /** What the mock brings back: `&collection=pets&key=5`, `&snapshot=before`; `''` for all records. */
  of: string;
  done: string;
  focus: string;
}

export const ALL_BACK: WayBack = { of: '', done: 'The records are as they were before', focus: '#reset' };

/** Changes records and reports it, with a way back whose id the work gets. Returns whether it was done. */
export type Act = (work: (kept?: number) => Promise<unknown>, done: string, back?: WayBack) => Promise<boolean>;
type Line = { text: string; id: number; world: string; back: WayBack };

/** What changes the records, and the line that undoes the last change. `revision` grows with each. */
export function useAct(): { act: Act; revision: number; line: JSX.Element } {
  const [revision, setRevision] = useState(0);
  const [line, setLine] = useState<Line | undefined>(undefined);
  useEffect(settleFocus);
  const act: Act = async (work, done, back) => {
    let kept: { id: number } | undefined;
    const all = async (): Promise<void> => {
      if (back !== undefined) kept = await ask<{ id: number }>('POST /console/keep');
      await work(kept?.id);
    };
    const isDone = await attempt(all, back === undefined ? done : undefined);
    setRevision((known) => known + 1);
    if (!isDone) return false;
    if (back !== undefined && kept !== undefined) setLine({ text: done, id: kept.id, world: world.value, back });
    // To bring everything back would take away what was done since.
    else setLine((known) => (known?.back.of === '' ? undefined : known));
    return true;
  };
  const undo = async ({ id, back }: Line): Promise<void> => {
    moveFocus('#new-record', back.focus);
    await act(() => ask(`POST /console/undo?id=${id}${back.of}`), back.done);
    setLine(undefined);
  };
  const dismiss = (): void => {
    moveFocus('#new-record', '#new-record');
    setLine(undefined);
  };
  const shown = line?.world === world.value ? line : undefined;
  // The place for the line is always there, so that screen readers notice what comes into it.
  const place = (
    <div class={shown === undefined ? 'undo-place' : 'undo-place is-set'} role="status">
      {shown === undefined ? null : (
        <>
          <span>{shown.text}.</span>
          <Button text="Undo" id="undo" act={() => undo(shown)} />
          <QuietButton text="Dismiss" of="the message" act={dismiss} />
        </>
      )}
    </div>
  );
  return { act, revision, line: place };
}
