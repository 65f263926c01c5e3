export { PetstoreMockError, type ErrorCode, type SourcePlace } from '../errors.js';
export type { RunEvent, RunListener } from './events.js';
export type {
  BaselineLine,
  BaselineResult,
  BasisResult,
  CoverageResult,
  ExchangeResult,
  Finding,
  RunResult,
  ScenarioResult,
  StepResult,
  Summary,
  Verdict,
} from './result.js';
export type { ConformanceOptions } from './options.js';
export { runConformance } from './run-conformance.js';
