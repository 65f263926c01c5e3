import { setUp, type SetUpOptions } from '../../server/set-up.js';
import { countRecords } from './count-records.js';
import { describeResources, toResourceFacts } from './describe/describe-resources.js';
import type { Settings } from './settings.js';

/** Reads everything that a start would read, including the shipped contract, and describes it. Throws as a start does. */
export function checkFiles(settings: Settings & Pick<SetUpOptions, 'onProgress'>): string {
  const { contract, world, fixtures, notes, profile, own } = setUp({ ...settings, checkAll: true });
  const counted = `${contract.operations.length} operation${contract.operations.length === 1 ? '' : 's'}`;
  const rows = [
    ['contract', contract.document.file, `${contract.title} ${contract.version}, ${counted}`],
    ['fixtures', fixtures.name, `${countRecords(world, fixtures)}, seed ${fixtures.seed}`],
    ...(settings.profile === undefined ? [] : [['profile', profile.name, '']]),
    ...(settings.handlersFile === undefined ? [] : [['handlers', settings.handlersFile, own.join(', ')]]),
    ['config', settings.config ?? 'none', ''],
  ];
  if (settings.log === 'json') {
    return JSON.stringify({
      event: 'checked',
      contract: contract.document.file,
      fixtures: fixtures.name,
      profile: settings.profile,
      config: settings.config,
      ...(own.length === 0 ? {} : { handlers: own }),
      ...toResourceFacts(contract),
      ...(notes.length === 0 ? {} : { notes }),
    });
  }
  const width = Math.max(...rows.map(([, file = '']) => file.length));
  const lines = rows.map(([name = '', file = '', found = '']) =>
    `${name.padEnd(9)} ${file.padEnd(width)}  ${found}`.trimEnd(),
  );
  const told = notes.map((note) => `${'note'.padEnd(9)} ${note}`);
  return [...lines, ...describeResources(contract), ...told].join('\n');
}
