import { parseJsonBytes, printJson } from '../../contract/document/json.js';
import type { ApiRequest } from '../../contract/message.js';
import type { Operation } from '../../contract/model.js';
import type { DelayRange } from '../world/delay-range.js';
import { kindOf, type Fault, type FaultEffect, type FaultPosition } from './fault.js';

/** The faults that strike an exchange at one position. */
export interface FaultHit {
  /** The faults that struck. */
  ids: string[];
  /** How long to hold back, in milliseconds. */
  delay: number;
  /** The effect beside the delay; if several faults strike, the one planted first decides. */
  effect: FaultEffect | undefined;
}

/** An exchange as the conditions of faults see it. */
export interface Struck {
  request: ApiRequest;
  operation: Operation;
  /** The path below the base path. */
  path: string;
  /** The status of the operation's own answer; `undefined` before there is one. */
  status: number | undefined;
}

/** A planted fault at work. */
export interface PlantedRule {
  id: string;
  fault: Fault;
  position: FaultPosition;
  random: () => number;
  hits: number;
  draws: number;
  /** Whether it belongs to the start of the world. */
  isOfStart: boolean;
}

/** Determines which faults strike, and counts their hits. */
export function strike(
  rules: readonly PlantedRule[],
  position: FaultPosition,
  struck: Struck,
  random: () => number,
): FaultHit | undefined {
  let hit: FaultHit | undefined;
  for (const rule of rules) {
    if (rule.position !== position || !applies(rule, struck)) continue;
    const effect = kindOf(rule.fault.effect) === undefined ? undefined : rule.fault.effect;
    // An answer cannot be broken twice; the later fault waits for the next exchange.
    if (effect !== undefined && hit?.effect !== undefined) continue;
    if (rule.fault.rate !== undefined && drawFor(rule) >= rule.fault.rate) continue;
    rule.hits += 1;
    hit ??= { ids: [], delay: 0, effect: undefined };
    hit.ids.push(rule.id);
    hit.delay += pickTime(rule.fault.effect.delay, random);
    hit.effect ??= effect;
  }
  return hit;
}

function drawFor(rule: PlantedRule): number {
  rule.draws += 1;
  return rule.random();
}

function applies({ fault, position, hits }: PlantedRule, struck: Struck): boolean {
  if (fault.times !== undefined && hits >= fault.times) return false;
  if (fault.operationId !== undefined && fault.operationId !== struck.operation.id) return false;
  const { when = {} } = fault;
  const { request, path, status } = struck;
  if (position === 'after' && (when.status === undefined ? (status ?? 0) >= 400 : when.status !== status)) return false;
  if (when.method !== undefined && when.method.toUpperCase() !== request.method) return false;
  if (when.path !== undefined && when.path !== path) return false;
  if (when.query !== undefined && !hasQuery(request, when.query)) return false;
  if (when.headers !== undefined && !hasHeaders(request, when.headers)) return false;
  return when.body === undefined || hasFields(request, when.body);
}

function hasQuery({ query }: ApiRequest, wanted: Readonly<Record<string, string>>): boolean {
  const sent = new URLSearchParams(query);
  return Object.entries(wanted).every(([name, value]) => sent.getAll(name).includes(value));
}

function hasHeaders({ headers }: ApiRequest, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([name, value]) => headers[name.toLowerCase()] === value);
}

function hasFields({ body }: ApiRequest, wanted: Readonly<Record<string, unknown>>): boolean {
  const parsed = body === undefined ? undefined : parseJsonBytes(body);
  if (parsed?.ok !== true || typeof parsed.value !== 'object' || parsed.value === null) return false;
  const sent = parsed.value as Record<string, unknown>;
  return Object.entries(wanted).every(
    ([name, value]) => Object.hasOwn(sent, name) && printJson(sent[name]) === printJson(value),
  );
}

function pickTime(delay: number | DelayRange | undefined, random: () => number): number {
  if (delay === undefined || typeof delay === 'number') return delay ?? 0;
  return delay.from + random() * (delay.to - delay.from);
}
