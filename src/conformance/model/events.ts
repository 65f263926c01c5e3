import type { RunResult, ScenarioResult } from './result.js';

/** The events of a run, in order. */
export type RunEvent =
  /** `requests` is about how many they take. */
  | { type: 'runStarted'; target: string; scenarios: number; requests: number }
  | { type: 'scenarioStarted'; id: string }
  | { type: 'scenarioFinished'; result: ScenarioResult; done: number; of: number }
  | { type: 'waiting'; reason: string; ms: number }
  /** What a run has found, before it tidies up: what it created is told as left. */
  | { type: 'runConcluded'; result: RunResult }
  | { type: 'runFinished'; result: RunResult };

export type RunListener = (event: RunEvent) => void;
