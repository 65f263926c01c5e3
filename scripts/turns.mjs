// Which tests a run takes of those that are slow: all, or its turn of them. Plain JavaScript, since `.ci/run` asks before anything is installed.
//   node scripts/turns.mjs          what runs in this turn
//   node scripts/turns.mjs trees    the folders whose packages its tests need
// PETSTORE_TESTS=all takes all; PETSTORE_TESTS_TURN=5 takes the turn of another commit.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** A slow file runs in one of so many turns, unless what it tests has changed. */
const OF = 12;

/** These run in each turn: their rows take turns themselves, or they are whole runs that are too slow for `npm test` alone. */
const EACH_TURN = new RegExp(
  `^test/(?:${[
    'mutation/',
    'conformance/product/count-tested\\.',
    'conformance/resources/(?:depot|helpdesk|library|payees|strangers-[\\w-]+|workshop)\\.',
    'e2e/(?:docs/(?:options|runs)|document-notes|node-versions|own-mock)\\.',
  ].join('|')})`,
);

/** What tests look at beside their own file. */
const TESTED = [
  [/e2e\/(?:console|browser|html-report)/, /^(?:src\/console|src\/server\/console|src\/report\/html)\//],
  [/e2e\/site/, /^site\//],
  [/e2e\/(?:tarball|examples|docs\/scripts)/, /^(?:package\.json|examples\/)/],
  [/e2e\/ci-/, /^(?:action\.yml|templates\/|examples\/ci\/|\.pre-commit-hooks\.yaml)/],
  [/e2e\/generated-sdk/, /^test\/e2e\/generated-sdk\//],
  [/e2e\/mcp-conformance/, /^(?:src\/mcp\/|test\/e2e\/mcp-conformance\/)/],
  [/e2e\/(?:judges|.*prism)/, /^test\/e2e\/(?:prism|portman)|^src\/mock\/response\/prism/],
  [/^test\/redact/, /^src\/redact\//],
  [/lasting\//, /^src\/(?:server\/lasting|mock\/persistence)\//],
];

/** The packages that a test needs beside those of the project, by its name; `true`: they may run scripts when installed. */
const TREES = {
  'test/e2e/generated-sdk': [/e2e\/generated-sdk/, true],
  'test/e2e/mcp-conformance': [/e2e\/mcp-conformance/, true],
  'test/e2e/prism': [/e2e\/(?:judges|conformance-prism)/, true],
  'test/e2e/portman': [/e2e\/judges/, false],
  'test/e2e/prism-current': [/e2e\/prism-versions/, false],
  site: [/e2e\/site/, false],
};

/** A number that each commit raises, or `'all'`. Without a history, 0. */
export const turn = readTurn();

/** The paths of what was changed in the last four hours of the history, which is more than a session, and since. */
export const changed = turn === 'all' ? [] : readChanged();

/** The rows of a table whose turn it is: one in `of`, each in one of `of` turns in a row, and those that a change touches. */
export function inTurn(rows, of, isTouched = () => false) {
  if (turn === 'all') return [...rows];
  // A short table has one in each turn.
  const every = Math.min(of, Math.max(rows.length, 1));
  return rows.filter((row, index) => index % every === turn % every || isTouched(row));
}

/** The slow test files of this turn, relative to the project. */
export function listSlow() {
  const slow = listFiles(join(ROOT, 'test'))
    .filter((path) => /\.(?:slow|alone)\.test\.ts$/.test(path))
    .sort();
  const others = slow.filter((path) => !EACH_TURN.test(path));
  const isTouched = (path) =>
    TESTED.some(([test, source]) => test.test(path) && changed.some((each) => source.test(each)));
  const chosen = new Set(inTurn(others, OF, isTouched));
  return slow.filter((path) => EACH_TURN.test(path) || chosen.has(path));
}

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules') return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : [relative(ROOT, path).split(sep).join(posix.sep)];
  });
}

function readTurn() {
  const { PETSTORE_TESTS: which, PETSTORE_TESTS_TURN: given } = process.env;
  if (which === 'all') return 'all';
  const number = Number(given ?? git('rev-list', '--count', 'HEAD') ?? 0);
  return Number.isSafeInteger(number) && number >= 0 ? number : 0;
}

function readChanged() {
  const newest = Number(git('log', '-1', '--format=%ct') ?? 0);
  const committed = git('log', `--since=${newest - 4 * 3600}`, '--format=', '--name-only') ?? '';
  const open = git('status', '--porcelain', '--no-renames') ?? '';
  return [...new Set([...committed.split('\n'), ...open.split('\n').map((line) => line.slice(3))])].filter(Boolean);
}

function git(...args) {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trimEnd();
  } catch {
    // A packed copy has no history.
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = listSlow();
  if (process.argv[2] !== 'trees') console.log([`turn ${turn}`, ...files].join('\n'));
  else
    for (const [folder, [test, mayRun]] of Object.entries(TREES))
      if (files.some((path) => test.test(path))) console.log(`${mayRun ? '' : '--ignore-scripts '}--prefix ${folder}`);
}
