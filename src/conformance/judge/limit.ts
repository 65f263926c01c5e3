import type { Operation } from '../../contract/model.js';
import { successBody, type Check, type CheckContext } from './check.js';
import { asItems } from './pets.js';
import { NAME_PREFIX } from './target-memory.js';

export const limitCheck: Check = {
  id: 'limit',
  title: 'a list has at most as many pets as its limit',
  ofPets: true,
  run(context) {
    const body = asItems(successBody(context));
    const bound = findBound(context);
    if (body === undefined || bound === undefined || body.length <= bound.limit) return [];
    return [
      {
        rule: bound.rule,
        at: 'body',
        expected: `at most ${bound.limit} ${bound.limit === 1 ? 'pet' : 'pets'} (${bound.why})`,
        actual: `${body.length} pets`,
        contractPointer: bound.contractPointer,
      },
    ];
  },
};

interface Bound {
  limit: number;
  rule: string;
  why: string;
  contractPointer: string;
}

/**
 * The largest number of pets in a list: the requested limit, else the default.
 * The answer to a limit out of bounds is not shown (the gap `limit-above-maximum`), so
 * that a service may serve it.
 */
function findBound({ sent }: CheckContext): Bound | undefined {
  const parameter = findLimit(sent.operation);
  if (parameter === undefined || !sent.validParameters) return undefined;
  const { schema, schemaPointer } = parameter;
  const asked = sent.query['limit'];
  if (typeof asked === 'number') {
    return { limit: asked, rule: 'asked', why: 'the limit asked for', contractPointer: parameter.pointer };
  }
  if (asked === undefined && typeof schema['default'] === 'number') {
    return {
      limit: schema['default'],
      rule: 'default',
      why: 'the default',
      contractPointer: `${schemaPointer}/default`,
    };
  }
  return undefined;
}

function findLimit(operation: Operation | undefined): Operation['parameters'][number] | undefined {
  return operation?.parameters.find((parameter) => parameter.in === 'query' && parameter.name === 'limit');
}

/** How many pets a list that was asked for so can have; `undefined` where the contract sets no bound. */
export function pageSize(context: CheckContext): number | undefined {
  return findBound(context)?.limit;
}

/** For a pet that a list lacks, at a target whose pages end early. */
export const NEEDS_FULL_PAGES =
  'lists that are full while there are more pets; this target gave shorter ones, so a pet that one lacks may exist all the same';

/** For a full page: a pet that it does not show may be on a further page, which the contract does not have. */
export const NEEDS_WHOLE_LIST = `a list shorter than its limit, which shows every pet; remove pets, such as those of earlier runs (their names begin with ${NAME_PREFIX}), or give the run a fresh store`;
