// What changed between two recordings of the fence, and in which direction: a line each.

/** As many more or fewer requests of a row are chance. */
const MOST_REQUESTS = 0.05;

export function compareRecordings(before, now) {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const lines = ids.flatMap((id) => compareRows(before[id], now[id]).map((line) => `${id}: ${line}`));
  return lines.length === 0 ? [] : [...lines, sumUp(before, now)];
}

function compareRows(before, now) {
  if (before === undefined) return ['a new row'];
  if (now === undefined) return ['the row is gone'];
  const { lost, found, reworded } = compareProblems(before.problems, now.problems);
  const verdicts = Object.keys(now.verdicts).filter((name) => before.verdicts[name] !== now.verdicts[name]);
  const isMore = Math.abs(now.requests - before.requests) > MOST_REQUESTS * before.requests;
  return [
    ...lost.map(({ headline }) => `LOST      ${headline}`),
    ...found.map(({ headline }) => `reported  ${headline}`),
    ...reworded.map(([one, other]) => `reworded  ${one.headline} -> ${other.headline}`),
    ...(before.exit === now.exit ? [] : [`exit code ${before.exit} -> ${now.exit}`]),
    ...verdicts.map((name) => `${name} ${before.verdicts[name]} -> ${now.verdicts[name]}`),
    ...(isMore ? [`requests ${before.requests} -> ${now.requests}`] : []),
  ];
}

/** Problems are the same by their fingerprint. */
function compareProblems(before, now) {
  const print = ({ cause }) => JSON.stringify(cause);
  const lost = before.filter((each) => !now.some((other) => print(other) === print(each)));
  const found = now.filter((each) => !before.some((other) => print(other) === print(each)));
  const reworded = before.flatMap((each) => {
    const other = now.find((one) => print(one) === print(each));
    return other === undefined || other.headline === each.headline ? [] : [[each, other]];
  });
  return { lost, found, reworded };
}

function sumUp(before, now) {
  const sum = (recording, read) => Object.values(recording).reduce((total, row) => total + read(row), 0);
  const tell = (name, read) => `${name} ${sum(before, read)} -> ${sum(now, read)}`;
  return [
    'in all:',
    tell('problems', ({ problems }) => problems.length),
    tell('inconclusive', ({ verdicts }) => verdicts.inconclusive),
    tell('requests', ({ requests }) => requests),
  ].join(' ');
}
