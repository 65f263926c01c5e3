import type { Operation } from '../../contract/model.js';
import { suggest } from '../../suggest.js';
import type { Mistake } from '../judge/keyword.js';
import { show } from '../judge/shown.js';
import type { Step } from '../model/scenario.js';
import { isEscaped } from '../http/parameters.js';
import { isReference } from '../http/template.js';

/** Parts of a step's request that cannot be sent. */
export function findBadRequest(step: Step, operations: readonly Operation[]): Mistake | undefined {
  const operation = operations.find(({ id }) => id === step.operationId);
  return (
    (operation === undefined ? undefined : findBadParameter(step, operation)) ??
    findUnsendable(step) ??
    findBadBody(step) ??
    findBadEach(step)
  );
}

function findBadParameter(step: Step, { id, parameters }: Operation): Mistake | undefined {
  const known = parameters.filter((each) => each.in === 'path' || each.in === 'query');
  for (const name of Object.keys(step.parameters)) {
    const at = `/parameters/${name}`;
    const parameter = known.find((each) => each.name === name);
    if (parameter === undefined) return { at, message: describeUnknown(name, id, parameters) };
    if (parameter.in === 'query' && step.query !== undefined) {
      return { at, message: `\`${name}\` would not be sent, since \`query\` is the whole query.` };
    }
  }
  const missing = known.find((each) => each.in === 'path' && (step.parameters[each.name] ?? null) === null);
  return missing === undefined
    ? undefined
    : { at: '/parameters', message: `the path of ${id} needs the parameter \`${missing.name}\`.` };
}

function describeUnknown(name: string, id: string, parameters: Operation['parameters']): string {
  const other = parameters.find((each) => each.name.toLowerCase() === name.toLowerCase() && each.in === 'header');
  if (other !== undefined) return `${name} is a header field of ${id}; put it under \`headers\`.`;
  const names = parameters.map((each) => each.name);
  return `the contract gives ${id} no parameter \`${name}\`${suggest(name, names)} To send one that it does not have, use \`query\`.`;
}

/** A value in a URL is a text, a number or a boolean; `null` leaves a parameter out. */
function findUnsendable({ parameters }: Step): Mistake | undefined {
  const found = Object.entries(parameters).find(
    ([, value]) => typeof value === 'object' && value !== null && !isEscaped(value),
  );
  return found === undefined
    ? undefined
    : { at: `/parameters/${found[0]}`, message: `\`${found[0]}\` must be one value, but is ${show(found[1])}.` };
}

function findBadBody({ requestBody }: Step): Mistake | undefined {
  if (requestBody === undefined) return undefined;
  const at = '/requestBody';
  const given = (['json', 'text', 'base64'] as const).filter((name) => requestBody[name] !== undefined);
  if (given.length !== 1) {
    const has = given.length === 0 ? 'none of them' : given.join(' and ');
    return { at, message: `a body must have one of \`json\`, \`text\` and \`base64\`, and this has ${has}.` };
  }
  const { base64, padTo } = requestBody;
  if (base64 === undefined) return undefined;
  if (padTo !== undefined) return { at: `${at}/padTo`, message: '`padTo` adds white space to JSON, not to bytes.' };
  return isReference(base64) || /^(?:[\w+/-]{4})*(?:[\w+/-]{2,3}=?=?)?$/.test(base64)
    ? undefined
    : { at: `${at}/base64`, message: 'these bytes are not valid base64.' };
}

function findBadEach({ each, atOnce, search }: Step): Mistake | undefined {
  if (atOnce !== undefined && (each !== undefined || search !== undefined)) {
    return {
      at: '/atOnce',
      message: 'a step with `atOnce` sends one request several times; it cannot have `each` or `search`.',
    };
  }
  if (each === undefined || Array.isArray(each.in) || isReference(each.in)) return undefined;
  return { at: '/each/in', message: `it must be a reference to a list, but is ${show(each.in)}.` };
}
