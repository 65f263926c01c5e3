import type { Document, Node, Pair } from 'yaml';
import { loadYaml } from './load-when-needed.js';

/** Why a document cannot be used, and the node to report. */
export interface AliasProblem {
  why: string;
  node: Node;
}

/** Far more values than the aliases of a file for people stand for. */
const MAX_VALUES = 1_000_000;

/** Finds an alias that leads nowhere, to itself or to too many values, and a merge key without a mapping. */
export function findAliasProblem(yaml: Document): AliasProblem | undefined {
  const { isAlias, isCollection, isMap, isPair } = loadYaml();
  const anchors = new Map<string, Node>();
  const sizes = new Map<unknown, number>();
  let problem: AliasProblem | undefined;
  let total = 0;
  const report = (node: unknown, why: string): number => {
    problem ??= { why, node: node as Node };
    return 0;
  };

  /** How many values there are at a node, those of its aliases included. */
  const measure = (node: unknown): number => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target === undefined)
        return report(node, `the alias *${node.source} has no anchor &${node.source} before it`);
      const size = sizes.get(target);
      if (size === undefined) return report(node, `the alias *${node.source} refers to a value that contains itself`);
      total += size;
      return total > MAX_VALUES ? report(node, `its aliases expand to more than ${MAX_VALUES} values`) : size;
    }
    if (isPair(node)) return measure(node.key) + measure(node.value);
    const { anchor } = (node ?? {}) as { anchor?: string };
    if (anchor !== undefined) anchors.set(anchor, node as Node);
    const items: unknown[] = isCollection(node) ? node.items : [];
    const size = items.reduce<number>((sum, item) => sum + measure(item), 1);
    sizes.set(node, size);
    if (isMap(node)) checkMerges(yaml, node.items, report);
    return size;
  };

  total += measure(yaml.contents);
  return problem;
}

function checkMerges(yaml: Document, items: Pair[], report: (node: unknown, why: string) => void): void {
  for (const { key, value } of items.filter(isMerge)) {
    const sources = listSources(yaml, value);
    if (!sources.every(loadYaml().isMap)) report(key, 'the value of << is neither a mapping nor a list of mappings');
  }
}

/** Whether a pair merges other mappings into its own: a `<<` without quotation marks. */
export function isMerge({ key }: Pair): boolean {
  const { value } = (key ?? {}) as { value?: unknown };
  return typeof value === 'symbol' && value.description === '<<';
}

/** What the value of a merge key stands for; the first source that has a key wins. */
export function listSources(yaml: Document, value: unknown): unknown[] {
  const { isAlias, isSeq } = loadYaml();
  const follow = (node: unknown): unknown => (isAlias(node) ? node.resolve(yaml) : node);
  const source = follow(value);
  return isSeq(source) ? source.items.map(follow) : [source];
}
