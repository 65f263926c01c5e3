import type { Operation, Parameter } from '../../../contract/model.js';
import type { AskedRole } from '../../../contract/resources/plain-roles.js';
import type { Row } from '../../scenarios/raw-scenario.js';
import type { TableSource } from './table-source.js';

/** Those that leave every record as it is if they are served all the same. */
const SAFE: readonly AskedRole[] = ['list', 'get', 'create'];

/** A header field or query parameter that is required, left out; and a value of a header field that the contract does not allow. */
export function listWrongParameters({ subject, contract }: TableSource): Row[] {
  return SAFE.flatMap((role) => {
    const operation = subject.roles[role]?.operation;
    if (operation === undefined) return [];
    const asked = operation.parameters.filter(({ in: place }) => place === 'header' || place === 'query');
    const needed = asked.filter(({ required }) => required);
    const judged = asked.filter(({ in: place, schemaPointer: at }) => {
      const isRead = place === 'header' && at !== undefined;
      return isRead && contract.validate.value(at, NO_VALUE).length > 0;
    });
    const without = needed.map((each) => makeRow({ role, operation }, each, { words: 'without', value: null }));
    const wrong = judged.map((each) => makeRow({ role, operation }, each, { words: 'with a wrong', value: NO_VALUE }));
    return without.concat(wrong);
  });
}

const NO_VALUE = 'no-such-value';

function makeRow(
  { role, operation }: { role: AskedRole; operation: Operation },
  { name, in: place }: Parameter,
  { words, value }: { words: string; value: string | null },
): Row {
  const sent = { [name]: value };
  return {
    id: `${role}-${value === null ? 'without' : 'wrong'}-${name.replaceAll(/[^\w.-]+/g, '-')}`,
    role,
    operation: operation.id,
    words: `${words} \`${name}\``,
    headers: place === 'header' ? sent : {},
    filter: place === 'query' ? sent : {},
  };
}
