import type { Contract } from '../../contract/contract.js';
import { describeNotes } from '../../contract/document/notes.js';
import { estimateRequests } from '../run/order/estimate-requests.js';
import { readGapsOf } from '../subjects/read-gaps.js';
import {
  findLackingParameter,
  listNeeded,
  readPairs,
  type GivenParameters,
} from '../wire/request/needed-parameters.js';
import { planRun } from './plan-run.js';
import type { LackedScopes } from '../model/scenario.js';
import { findUnmade } from '../../contract/samples/repair.js';
import { recordTypeOf } from '../../contract/resources/resource.js';
import type { ConformanceOptions } from '../model/options.js';
import { bindSubjects } from '../subjects/bind-subjects.js';
import { chooseFree, listFree } from '../subjects/free-parameters.js';
import { readSubjects, type Subject } from '../subjects/subject.js';

/** What the runner makes of a contract, before a run. */
export interface Outlook {
  contract: Contract;
  scenarios: number;
  /** About how many requests these take. */
  requests: number;
  /** How many resources the contract has. */
  resources: number;
  tested: TestedResource[];
  /** What cannot be tested: its path, why, and what would help. */
  untested: { path: string; why: string; help: string }[];
  /** What a mock of the contract cannot respond with, and which examples it cannot send, each as a sentence. */
  unmade: string[];
  /** How many gaps it observes. */
  gaps: number;
  /** Oddities of the document, with their places. */
  notes: string[];
}

const MOST_NOTES = 20;

export interface TestedResource {
  name: string;
  path: string;
  /** The roles of its operations: `list`, `create`. */
  roles: string[];
  /** The fields that a client may give. */
  fields: string[];
  scenarios: number;
  requests: number;
}

/** Throws a `PetstoreMockError` for a contract that cannot be read, or of which nothing can be tested. */
export function readOutlook(
  options: Pick<
    ConformanceOptions,
    'spec' | 'allowOutsideRefs' | 'allowRemoteRefs' | 'allowPrivateHosts' | 'resources' | 'records' | 'parameter'
  >,
): Outlook {
  const { contract, scenarios, untriedScopes } = planRun(options);
  contract.validate.compileAll();
  const { bindings, notes } = bindSubjects(contract);
  const tested = readSubjects(contract).filter((subject) =>
    bindings.some((binding) => binding.subject.name === subject.name),
  );
  return {
    contract,
    scenarios: scenarios.length,
    requests: estimateRequests(scenarios),
    resources: readSubjects(contract).length,
    tested: tested.map((subject) => describeTested(subject, scenarios)),
    untested: [
      ...notes.map(explainNote),
      ...describeScopes(untriedScopes),
      ...listLoose(contract, tested, readPairs(options.parameter ?? [])),
    ],
    unmade: contract.operations.flatMap((operation) => findUnmade(contract, operation)),
    gaps: readGapsOf(contract).asked.length,
    notes: describeNotes(contract.listNotes(), MOST_NOTES),
  };
}

type Planned = ReturnType<typeof planRun>['scenarios'];

function describeTested({ name, resource, roles, fields }: Subject, all: Planned): TestedResource {
  const own = all.filter(({ id }) => id.startsWith(`${name}/`));
  return {
    name,
    path: resource.collectionPath,
    roles: Object.keys(roles),
    fields: fields.map((field) => field.name),
    scenarios: own.length,
    requests: estimateRequests(own),
  };
}

/** A note says where, and why. */
function explainNote(note: string): Outlook['untested'][number] {
  const at = note.indexOf(': ');
  const [path, why] = [note.slice(0, at), note.slice(at + 2)];
  const help = /could be made/.test(why)
    ? 'an `example` of the request in the contract, or a record in a file (`records:` in the config file)'
    : /no create/.test(why)
      ? 'scenarios of your own (`scenarios:` in the config file)'
      : 'a file of corrections (`resources:` in the config file)';
  return { path, why, help };
}

function describeScopes(untried: readonly LackedScopes[]): Outlook['untested'] {
  const [first] = untried;
  if (first === undefined) return [];
  const scopes = [...new Set(untried.flatMap((each) => each.scopes))];
  const help = `a token without ${first.scopes.join(' and ')} (\`credentials: { '${first.scheme}[<its scopes>]': { env: ... } }\` in the config file)`;
  return [
    {
      path: 'scopes',
      why: `nothing tests whether ${scopes.join(', ')} ${scopes.length === 1 ? 'is' : 'are'} required`,
      help,
    },
  ];
}

/** The operations that belong to no resource under test. */
function listLoose(contract: Contract, tested: readonly Subject[], given: GivenParameters): Outlook['untested'] {
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
