import { readFileSync } from 'node:fs';
import type { Problem } from '../../src/conformance/index.js';

/** What the runner found when `npm run fence` was run last. */
export interface FenceResult {
  exit: number;
  problems: Pick<Problem, 'id' | 'headline' | 'cause'>[];
  verdicts: Record<string, number>;
  requests: number;
}

/** The committed recording, by row: `mutants/limit-one-more`, `documents/spec/petstore.openapi.yaml`. */
export const readRecording = (): Readonly<Record<string, FenceResult>> =>
  JSON.parse(readFileSync(new URL('recording.json', import.meta.url), 'utf8')) as Record<string, FenceResult>;
