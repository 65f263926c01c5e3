export { PetstoreMockError, type ErrorCode, type SourcePlace } from '../errors.js';
export type { RunEvent, RunListener } from './events.js';
export type {
  BaselineLine,
  BaselineResult,
  BasisResult,
  CoverageResult,
  DriftResult,
  ExchangeResult,
  Finding,
  GapChange,
  GapResult,
  RunResult,
  ScenarioResult,
  StepResult,
  Summary,
  Verdict,
} from './result.js';
export type { Problem, ProblemCause, ShownFinding } from './problems/problem.js';
export type { Shard } from './shards/shard.js';
export type { ConformanceOptions, TlsOptions } from './options.js';
export { planConformance, type ConformancePlan } from './plan-conformance.js';
export { runConformance } from './run-conformance.js';
export { mergeShards } from './shards/merge-results.js';
