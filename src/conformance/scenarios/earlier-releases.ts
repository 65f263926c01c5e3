import { escapePointer } from '../../contract/document/document.js';
import type { Mistake } from '../checks/check.js';

// What scenarios and their words were called in earlier releases. CHANGELOG.md has the tables.

/** What took the place of the scenarios that earlier releases had for the petstore alone, by their files. */
const RENAMED_FILES: Readonly<Record<string, string>> = {
  authentication: '*/refusals/credential*',
  create: '*/records/*',
  'create-invalid': '*/refusals/*',
  gaps: '*/gaps/*',
  get: '*/records/*',
  limits: '*/lists/*limit*',
  list: '*/lists/*',
  'open-points': '*/gaps/*',
  sequences: '*/sequences/*',
  'status-filter': '*/lists/*filter*',
  transport: '*/requests/*',
};

/** The current id of a scenario of an earlier release; what several do now keeps the old one. */
export function renameOne(id: string, ids: readonly string[]): string {
  const renamed = renameId(id, ids);
  return ids.includes(renamed) ? renamed : id;
}

/** The current form of an id or a glob of an earlier release, for baselines and command lines. A user's file keeps its own ids. */
export function renameId(pattern: string, ids: readonly string[]): string {
  const [file = '', scenario = ''] = pattern.split('/');
  const renamed = Object.hasOwn(RENAMED_FILES, file) ? RENAMED_FILES[file] : undefined;
  if (renamed === undefined || scenario === '' || ids.some((id) => id.startsWith(`${file}/`))) return pattern;
  const [name = '', ...row] = scenario.split(/(?=\[)/);
  const tables = renamed === RENAMED_FILES['gaps'] ? ids.map((id) => id.replace(/\[.*$/, '')) : [];
  const same = tables.find((table) => table.endsWith(`/${name}`));
  return same === undefined ? renamed : [same, ...row].join('');
}

const RENAMED: Readonly<Record<string, string>> = { premise: 'requires', settle: 'retryFrom' };
const RENAMED_VALUES: Readonly<Record<string, string>> = { '$limit.longest': '$limit.largestPage' };

const GONE: Readonly<Record<string, string>> = {
  every: 'write `records: { every: { status: sold } }`',
  contains: 'write `records: { has: [{ key: ..., like: ... }] }`',
  page: 'write `records: { atMost: ... }`; whether a page is full, the shipped scenarios observe',
  covers: 'the shipped scenarios compare filtered lists with the whole list',
  listed: 'write `records: { has: [{ key: ... }] }`',
  nothingNew: 'the shipped scenarios look for rejected records',
  noneRefused: 'the shipped scenarios look for rejected records',
  noRefusedPets: 'the shipped scenarios look for rejected records',
  lacksPets: 'leave it out',
};

const GONE_VALUES =
  /\$(?:run\.(?:category|otherCategory|created|seen|lacking|unknownIds?|aliases|nextIds|followingIds|escapedId)|more)\b/;

/** The first word of an earlier release in a file, at a pointer into it. */
export function findRenamed(root: unknown): Mistake | undefined {
  const { scenarios } = Object(root) as { scenarios?: unknown };
  for (const [index, scenario] of (Array.isArray(scenarios) ? scenarios : []).entries()) {
    const { steps } = Object(scenario) as { steps?: unknown };
    for (const [number, step] of (Array.isArray(steps) ? steps : []).entries()) {
      const at = `/scenarios/${index}/steps/${number}`;
      const { expect, assume } = Object(step) as Record<string, unknown>;
      const found =
        findKey(step, at) ??
        findKey(expect, `${at}/expect`) ??
        findKey(assume, `${at}/assume`) ??
        findValue(Object(step), at);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function findKey(value: unknown, at: string): Mistake | undefined {
  const keys = Object.keys(Object(value) as object);
  const old = keys.find((key) => Object.hasOwn(RENAMED, key));
  if (old !== undefined) return { at: `${at}/${old}`, message: `\`${old}\` is called \`${RENAMED[old] ?? ''}\` now.` };
  const gone = keys.find((key) => Object.hasOwn(GONE, key));
  if (gone === undefined) return undefined;
  return { at: `${at}/${gone}`, message: `there is no \`${gone}\` any more: ${GONE[gone] ?? ''}.` };
}

function findValue(value: unknown, at: string): Mistake | undefined {
  if (typeof value === 'string') {
    const old = Object.keys(RENAMED_VALUES).find((each) => value.includes(each));
    if (old !== undefined) return { at, message: `\`${old}\` is called \`${RENAMED_VALUES[old] ?? ''}\` now.` };
    const [gone] = GONE_VALUES.exec(value) ?? [];
    if (gone === undefined) return undefined;
    const hint = 'write the value, or take it from the response to an earlier step';
    return { at, message: `there is no \`${gone}\` any more: ${hint}.` };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = findValue(item, `${at}/${escapePointer(key)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
