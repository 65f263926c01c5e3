import type { RawScenario, RawStep } from '../model/raw-scenario.js';

/** The defaults for the scenarios of a file. */
export interface Defaults {
  after?: string[];
  dependsOn?: string[];
  /** By operation, then by name. A step leaves one out with `null`, and all of them with a `query` of its own. */
  parameters?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A scenario with the defaults of its file. */
export function fillDefaults(raw: RawScenario, defaults: Defaults | undefined): RawScenario {
  if (defaults === undefined) return raw;
  const { after, dependsOn, parameters } = defaults;
  return {
    ...(after === undefined ? {} : { after }),
    ...(dependsOn === undefined ? {} : { dependsOn }),
    ...raw,
    steps: raw.steps.map((step) => fillParameters(step, parameters)),
  };
}

function fillParameters(step: RawStep, parameters: Defaults['parameters'] = {}): RawStep {
  const { operationId = '', query } = step;
  const given = Object.hasOwn(parameters, operationId) ? parameters[operationId] : undefined;
  if (given === undefined || query !== undefined) return step;
  const all = Object.entries({ ...given, ...step.parameters });
  return { ...step, parameters: Object.fromEntries(all.filter(([, value]) => value !== null)) };
}
