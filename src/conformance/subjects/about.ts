// What scenarios and steps are about, as facts for what explains their findings.
import { asObject } from '../../contract/document/plain.js';
import type { About, Asks } from '../model/about.js';
import { fillRow, type BoundStep } from './binding.js';
import { PROVEN_KEY } from './keys/free-key.js';
import type { RoleScenario, RoleStep } from './role-scenario.js';

const UNKNOWN_KEY = '$unknownKey';

export function readAbout(
  { id, about, steps }: RoleScenario,
  file: string,
  { binding, row }: Pick<BoundStep, 'binding' | 'row'>,
): About {
  const { name, roles } = binding.subject;
  const sent = steps.flatMap(({ filter }) => Object.keys(asObject(fillRow(filter, row))));
  const filters = roles.list?.list?.filters.map(({ parameter }) => parameter) ?? [];
  // Of several, the row is called by its own.
  const filter = filters.find((each) => sent.includes(each) && isNamed(row?.id, each));
  return {
    resource: name,
    scenario: `${file}/${id}`,
    ...(filter === undefined ? {} : { filter }),
    ...(fillRow(about, row) as RoleScenario['about']),
  };
}

function isNamed(id: string | undefined, parameter: string): boolean {
  return id === parameter || id?.startsWith(`${parameter}-`) === true;
}

export function readAsks({ asks, key, parent, pages }: RoleStep, newKey: string | undefined): Asks | undefined {
  if (asks !== undefined) return asks;
  if (newKey !== undefined) return 'new';
  if (typeof pages === 'object' && pages.from !== undefined) return 'laterPage';
  if (key === UNKNOWN_KEY || key === PROVEN_KEY) return 'absent';
  if (parent !== UNKNOWN_KEY) return undefined;
  return key === undefined ? 'absentParent' : 'absent';
}
