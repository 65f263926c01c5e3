import type { SetUpOptions } from '../../server/set-up.js';
import { spellOut, spellOutJson } from '../../redact/spell-out.js';
import { countRecords } from './count-records.js';
import { describeResources, toResourceFacts } from './describe/describe-resources.js';
import { setUpFrom } from './set-up-from.js';
import type { Settings } from './settings.js';

/** What a start would read, described. */
export interface Checked {
  text: string;
  /** How many notes there are on the document and what can be made of it. */
  notes: number;
}

/** Reads everything that a start would read, including the shipped contract, and describes it. Throws as a start does. */
export function checkFiles(settings: Settings & Pick<SetUpOptions, 'onProgress'>): Checked {
  const { contract, world, fixtures, notes, profile, own } = setUpFrom(settings, {
    checkAll: true,
    onProgress: settings.onProgress,
  });
  if (settings.log === 'json') {
    const facts = {
      event: 'checked',
      contract: contract.document.file,
      fixtures: fixtures.name,
      profile: settings.profile,
      config: settings.config,
      ...(own.length === 0 ? {} : { handlers: own }),
      ...toResourceFacts(contract),
      ...(notes.length === 0 ? {} : { notes }),
    };
    return { text: spellOutJson(JSON.stringify(facts)), notes: notes.length };
  }
  const counted = `${contract.operations.length} operation${contract.operations.length === 1 ? '' : 's'}`;
  const rows = [
    ['contract', contract.document.file, `${contract.title} ${contract.version}, ${counted}`],
    ['fixtures', fixtures.name, `${countRecords(world, fixtures)}, seed ${fixtures.seed}`],
    ...(settings.profile === undefined ? [] : [['profile', profile.name, '']]),
    ...(settings.handlersFile === undefined ? [] : [['handlers', settings.handlersFile, own.join(', ')]]),
    ['config', settings.config ?? 'none', ''],
  ];
  const width = Math.max(...rows.map(([, file = '']) => file.length));
  const lines = rows.map(([name = '', file = '', found = '']) =>
    `${name.padEnd(9)} ${file.padEnd(width)}  ${found}`.trimEnd(),
  );
  const noted = notes.map((note) => `${'note'.padEnd(9)} ${note}`);
  // Each may quote what stands in the document, which may hold line feeds and what steers a terminal.
  return { text: [...lines, ...describeResources(contract), ...noted].map(spellOut).join('\n'), notes: notes.length };
}
