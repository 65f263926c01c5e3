export { PetstoreMockError, type ErrorCode, type SourcePlace } from '../errors.js';
export type { RunEvent, RunListener } from './model/options.js';
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
} from './model/result.js';
export type { Problem, ProblemCause, ShownFinding } from './model/result.js';
export type { Shard } from './model/result.js';
export type { ConformanceOptions, TlsOptions } from './model/options.js';
export { planConformance, type ConformancePlan } from './product/run-conformance.js';
export { runConformance } from './product/run-conformance.js';
export { mergeShards } from './product/compose-result.js';
