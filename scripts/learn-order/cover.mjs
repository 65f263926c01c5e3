// A greedy cover: the scenario that finds most of what those before it do not, for each request that it costs, comes next.

/**
 * What it is worth to find a mutant for the first time, and the second: a scenario that finds what others find
 * too checks many rules, and is likelier to find what no mutant here shows.
 */
const WORTH = [1, 0.02];

/** When so many are found, what is left is put together by what it costs. */
const ENOUGH = 0.93;

/** The order, with what each scenario costs at its place, and how many of them find something that was not found before. */
export function learnOrder(scenarios, mutants) {
  const finds = listFinds(mutants);
  const left = new Map(scenarios.map((scenario) => [scenario.id, scenario]));
  const seen = new Map();
  const order = [];
  let finding = 0;
  let kept = new Set();
  while (left.size > 0) {
    const isEnough = seen.size >= ENOUGH * mutants.length;
    const next = isEnough ? [pickCheapest([...left.values()], left)] : pickTelling({ left, finds, seen, kept });
    for (const scenario of next) {
      const cost = spend(scenario, kept);
      kept = cost.kept;
      order.push([scenario.id, cost.requests]);
      left.delete(scenario.id);
      for (const mutant of finds.get(scenario.id) ?? []) {
        if (!seen.has(mutant)) finding = order.length;
        seen.set(mutant, (seen.get(mutant) ?? 0) + 1);
      }
    }
  }
  return { order, finding };
}

/** What writes comes first, so that all that only reads shares its answers. */
function pickCheapest(scenarios, left) {
  const ready = scenarios.filter(({ before }) => before.every((id) => !left.has(id)));
  return ready.find(({ requests }) => requests.some(({ writes }) => writes)) ?? ready[0];
}

/** The scenario that is worth most for each request, after those that must come before it. */
function pickTelling({ left, ...known }) {
  return [...left.values()]
    .map((scenario) => rate(scenario, { left, ...known }))
    .reduce((best, each) => (each.value > best.value ? each : best)).chain;
}

/** A scenario with all that has to come before it, and what that is worth for each request. */
function rate(scenario, { left, finds, seen, kept }) {
  const chain = listChain(scenario, left);
  let requests = 0;
  let state = kept;
  for (const each of chain) {
    const cost = spend(each, state);
    requests += cost.requests;
    state = cost.kept;
  }
  const times = new Map();
  for (const { id } of chain) for (const mutant of finds.get(id) ?? []) times.set(mutant, (times.get(mutant) ?? 0) + 1);
  let worth = 0;
  for (const [mutant, more] of times) {
    const before = seen.get(mutant) ?? 0;
    for (let time = before; time < before + more; time++) worth += WORTH[time] ?? 0;
  }
  // What costs nothing finds what it can at once; what finds nothing comes in the order of the files, observing last.
  return { chain, value: (worth + 1e-6) / (requests + 0.01) };
}

/** What must come before a scenario, then the scenario. */
function listChain(scenario, left, chain = []) {
  if (chain.includes(scenario)) return chain;
  for (const id of scenario.before) if (left.has(id)) listChain(left.get(id), left, chain);
  chain.push(scenario);
  return chain;
}

/** What a scenario costs where these answers can be shared, and which can be afterwards. */
function spend({ requests }, before) {
  let kept = new Set(before);
  const own = new Set();
  let count = 0;
  for (const { name, writes } of requests) {
    if (writes) kept = new Set();
    else if (kept.has(name) && !own.has(name)) {
      own.add(name);
      continue;
    } else kept.add(name);
    own.add(name);
    count += 1;
  }
  return { requests: count, kept };
}

function listFinds(mutants) {
  const finds = new Map();
  for (const { id, found } of mutants) {
    for (const scenario of found) finds.set(scenario, [...(finds.get(scenario) ?? []), id]);
  }
  return finds;
}

/** Which share of mutants so many requests find. */
export function drawCurve(order, mutants) {
  const at = new Map();
  let requests = 1;
  for (const [id, cost] of order) at.set(id, (requests += cost));
  const first = mutants.map(({ found }) => Math.min(...found.map((id) => at.get(id) ?? Number.POSITIVE_INFINITY)));
  return (most) => first.filter((each) => each <= most).length / mutants.length;
}

/** The same for mutants that the order was not learned from: each half is judged by what the other teaches. */
export function findHeldOut(scenarios, mutants) {
  const halves = [0, 1].map((half) => mutants.filter((_, index) => index % 2 === half));
  const curves = halves.map((held, half) => drawCurve(learnOrder(scenarios, halves[1 - half]).order, held));
  return (most) => curves.reduce((sum, curve) => sum + curve(most), 0) / curves.length;
}
