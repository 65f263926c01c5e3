import { useEffect, useRef, useState } from 'preact/hooks';
import type { AboutMock, Example } from './types.js';

export type Examples = Readonly<Record<string, Example>>;

/** The examples that are there, and a way to have those from an operation on. */
export function useExamples({ operations, mountPath }: AboutMock): { examples: Examples; want: (id: string) => void } {
  const [examples, setExamples] = useState<Examples>(() =>
    Object.fromEntries(
      operations.flatMap(({ id, example }) => (example === undefined ? [] : [[id, example] as const])),
    ),
  );
  const asked = useRef(new Set<string>()).current;
  const want = (id: string): void => {
    if (asked.has(id)) return;
    asked.add(id);
    const load = async (): Promise<void> => {
      const answer = await fetch(`${mountPath}/__console/examples?from=${encodeURIComponent(id)}`);
      const made = (await answer.json()) as Examples;
      setExamples((known) => ({ ...known, ...made }));
    };
    // Without a mock there is nothing to try; whoever comes by again asks again.
    load().catch(() => asked.delete(id));
  };
  return { examples, want };
}

/** Tells once that an element is about to be seen. */
export function useSight(isWanted: boolean, see: () => void): { current: HTMLElement | null } {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isWanted || box.current === null) return undefined;
    const seer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) see();
      },
      { rootMargin: '600px' },
    );
    seer.observe(box.current);
    return () => seer.disconnect();
  }, [isWanted]);
  return box;
}
