import { parsePointer } from '../../contract/document/document.js';
import { suggest } from '../../suggest.js';
import type { Mistake } from '../judge/keyword.js';
import type { Library } from './library.js';
import type { Scenario, Step } from '../model/scenario.js';
import { listReferences, REFERENCE } from '../wire/request/template.js';

/** Parts of a step that are filled in before its answer arrives. */
const BEFORE_THE_ANSWER = ['parameters', 'query', 'headers', 'requestBody', 'request', 'each'] as const;

/** A reference in a step that can never have a value. */
export function findBadReference(step: Step, scenario: Scenario, library: Library): Mistake | undefined {
  for (const [part, value] of Object.entries(step)) {
    for (const { reference, at } of listPlaces(value, `/${part}`)) {
      const message = findUntimely(reference, part, step) ?? findLeadingNowhere(reference, { step, scenario, library });
      if (message !== undefined) return { at, message };
    }
  }
  return undefined;
}

function listPlaces(value: unknown, at: string): { reference: string; at: string }[] {
  if (typeof value !== 'object' || value === null) {
    return listReferences(value).map((reference) => ({ reference, at }));
  }
  return Object.entries(value).flatMap(([key, item]) => listPlaces(item, `${at}/${key}`));
}

function findUntimely(reference: string, part: string, step: Step): string | undefined {
  const isEarly = (BEFORE_THE_ANSWER as readonly string[]).includes(part);
  if (isEarly && /^\$(?:request|response)\b/.test(reference)) {
    return `${reference} is only known after the response, but \`${part}\` is sent before.`;
  }
  if (
    reference.startsWith('$each') &&
    step.each === undefined &&
    step.search === undefined &&
    step.pages === undefined
  ) {
    return `${reference} is an item of the list in \`each\`, and the step has none.`;
  }
  return undefined;
}

interface Surroundings {
  step: Step;
  scenario: Scenario;
  library: Library;
}

function findLeadingNowhere(reference: string, { step, scenario, library }: Surroundings): string | undefined {
  if (!REFERENCE.test(reference)) return `${reference} is not a known reference; to write a plain $, write $$.`;
  const [path = '', pointer] = reference.slice(1).split(/#(.*)/s);
  const [root, ...rest] = path.split('.');
  const name = rest[0] ?? '';
  if (root === 'case') return findInCase(scenario, name, pointer);
  if (root === 'steps') return findInSteps(scenario, step, rest);
  if (root === 'scenarios') return findInScenarios(reference, scenario, library);
  if (root !== 'contract' || library.contract.document.at(pointer ?? '') !== undefined) return undefined;
  return `the contract has nothing at #${pointer ?? ''}.`;
}

function findInCase({ case: row }: Scenario, name: string, pointer: string | undefined): string | undefined {
  if (!Object.hasOwn(row, name)) return `the case has no \`${name}\`${suggest(name, Object.keys(row))}`;
  const found = parsePointer(pointer ?? '').reduce<unknown>(
    (value, key) => (Object.hasOwn(Object(value) as object, key) ? (value as Record<string, unknown>)[key] : undefined),
    row[name],
  );
  const isOpen = listReferences(row[name]).length > 0;
  return found !== undefined || isOpen ? undefined : `\`${name}\` of the case has nothing at #${pointer ?? ''}.`;
}

function findInSteps(scenario: Scenario, step: Step, [name = '', part, output = '']: string[]): string | undefined {
  const steps = scenario.steps.map(({ id }) => id);
  if (!steps.slice(0, steps.indexOf(step.id)).includes(name)) {
    return `there is no earlier step ${name}${suggest(name, steps)}`;
  }
  if (part !== 'outputs') return undefined;
  const outputs = Object.keys(scenario.steps.find(({ id }) => id === name)?.outputs ?? {});
  return outputs.includes(output) ? undefined : `step ${name} has no output ${output}${suggest(output, outputs)}`;
}

function findInScenarios(reference: string, { dependsOn }: Scenario, { scenarios }: Library): string | undefined {
  const [, name = '', output = ''] = /^\$scenarios\.([\w/-]+)\.outputs\.([\w-]+)/.exec(reference) ?? [];
  if (!dependsOn.includes(name)) return `${reference} needs ${name} under \`dependsOn\`.`;
  const source = scenarios.find(({ id }) => id === name);
  if (source === undefined) return `${name} is a table, so it has no single output ${output}.`;
  const outputs = source.steps.flatMap((each) => Object.keys(each.outputs));
  return outputs.includes(output) || source.leftOut !== undefined
    ? undefined
    : `${name} has no output ${output}${suggest(output, outputs)}`;
}
