import type { Contract } from '../../contract/contract.js';
import { describeNotes } from '../../contract/document/document.js';
import { estimateRequests } from '../engine/run.js';
import { listAskedGaps } from '../resources/read-gaps.js';
import { findLackingParameter, listNeeded, readPairs, type GivenParameters } from '../http/parameters.js';
import { planRun, type PlanOptions } from './plan-run.js';
import { findUnmade } from '../../contract/samples/repair.js';
import { recordTypeOf } from '../../contract/resources/resource.js';
import { bindSubjects, chooseFree, listFree } from '../resources/instantiate-resources.js';
import { readSubjects, type Subject } from '../resources/resource-under-test.js';

export interface DryRun {
  contract: Contract;
  scenarios: number;
  requests: number;
  resources: number;
  tested: TestedResource[];
  untested: { path: string; why: string; help: string }[];
  unmade: string[];
  gaps: number;
  notes: string[];
}

const MOST_NOTES = 20;

export interface TestedResource {
  name: string;
  path: string;
  roles: string[];
  fields: string[];
  scenarios: number;
  requests: number;
}

/** Throws a `PetstoreMockError` for a contract that cannot be read, or of which nothing can be tested. */
export function readDryRun(options: PlanOptions): DryRun {
  const { contract, scenarios, untriedScopes } = planRun(options);
  contract.validate.compileAll();
  const { bindings, notes } = bindSubjects(contract);
  const bound = new Set(bindings.map(({ subject }) => subject.name));
  const tested = readSubjects(contract).filter(({ name }) => bound.has(name));
  return {
    contract,
    scenarios: scenarios.length,
    requests: estimateRequests(scenarios),
    resources: readSubjects(contract).length,
    tested: tested.map(({ name, resource, roles, fields }) => {
      const own = scenarios.filter(({ id }) => id.startsWith(`${name}/`));
      return {
        name,
        path: resource.collectionPath,
        roles: Object.keys(roles),
        fields: fields.map((field) => field.name),
        scenarios: own.length,
        requests: estimateRequests(own),
      };
    }),
    untested: [
      ...notes.map(explainNote),
      ...untriedScopes.slice(0, 1).map((first) => {
        const scopes = [...new Set(untriedScopes.flatMap((each) => each.scopes))];
        const help = `a token without ${first.scopes.join(' and ')} (\`credentials: { '${first.scheme}[<its scopes>]': { env: ... } }\` in the config file)`;
        const why = `nothing tests whether ${scopes.join(', ')} ${scopes.length === 1 ? 'is' : 'are'} required`;
        return { path: 'scopes', why, help };
      }),
      ...listLoose(contract, tested, readPairs(options.parameter ?? [])),
    ],
    unmade: contract.operations.flatMap((operation) => findUnmade(contract, operation)),
    gaps: listAskedGaps(contract, options.credentialB !== undefined).length,
    notes: describeNotes(contract.listNotes(), MOST_NOTES),
  };
}

function explainNote(note: string): DryRun['untested'][number] {
  const at = note.indexOf(': ');
  const [path, why] = [note.slice(0, at), note.slice(at + 2)];
  const help = /could be made/.test(why)
    ? 'an `example` of the request in the contract, or a record in a file (`records:` in the config file)'
    : /no create/.test(why)
      ? 'scenarios of your own (`scenarios:` in the config file)'
      : 'a file of corrections (`resources:` in the config file)';
  return { path, why, help };
}

function listLoose(contract: Contract, tested: readonly Subject[], given: GivenParameters): DryRun['untested'] {
  const asked = new Set(tested.flatMap(({ roles }) => Object.values(roles).map(({ operation }) => operation.id)));
  const paths = new Set(tested.map(({ resource }) => resource.collectionPath));
  const free = listFree(contract);
  const known = chooseFree(contract, given);
  return contract.operations.flatMap((operation) => {
    const { method, path, id, parameters } = operation;
    const inPath = free.find((each) => each.operation.id === id && !Object.hasOwn(known, each.name))?.parameter;
    const lacking = inPath ?? findLackingParameter(listNeeded(operation, given, contract));
    if (asked.has(id) && lacking === undefined) return [];
    const needed = lacking ?? parameters.find(({ required, in: place }) => required && place !== 'path');
    const isOfTested = [...paths].some((own) => path === own || path.startsWith(`${own}/`));
    const body = operation.requestBody?.content[0]?.mediaType;
    const why =
      needed !== undefined
        ? `it needs the ${needed.in} parameter ${needed.name}`
        : body !== undefined && recordTypeOf(operation) === undefined
          ? `it takes ${body}, and only JSON and form bodies are tested`
          : isOfTested
            ? 'it does not list, create, get, replace, update or remove records'
            : 'it belongs to no resource that can be listed and created';
    const help = asked.has(id)
      ? `a value (\`parameter: ['${needed?.name ?? ''}=...']\` in the config file)`
      : 'a file of corrections (`resources:`), or scenarios of your own';
    return [{ path: `${method} ${path}`, why, help }];
  });
}
