import { mergeSchemas } from '../schemas/merged-schema.js';
import { FAILED, type Sampling } from './sampling.js';

/** What a schema may refuse, the simplest first. */
const WRONG: readonly unknown[] = [0, 'string', true, [], {}];

/**
 * A value that two alternatives allow, changed so that only one does: it gets an invalid value in a property that only
 * the other one describes. {@link FAILED} if there is no such property.
 */
export function tellApart(
  value: unknown,
  { one, other }: { one: readonly string[]; other: readonly string[] },
  sampling: Sampling,
): unknown {
  const { document, dialect, accepts } = sampling;
  const [mine, theirs] = [one, other].map((pointers) => mergeSchemas(document, dialect, pointers));
  if (mine === undefined || theirs === undefined) return FAILED;
  if (Array.isArray(value)) {
    const [first, ...rest] = value as unknown[];
    const changed = tellApart(first, { one: mine.items, other: theirs.items }, sampling);
    return changed === FAILED ? FAILED : [changed, ...rest];
  }
  if (typeof value !== 'object' || value === null) return FAILED;
  for (const [name, pointers] of theirs.properties) {
    if (mine.properties.has(name) || mine.additional?.length !== 0) continue;
    const wrong = WRONG.find((each) => !pointers.every((pointer) => accepts(pointer, each)));
    if (wrong !== undefined) return { ...value, [name]: wrong };
  }
  for (const [name, within] of Object.entries(value)) {
    const [own, others] = [mine.properties.get(name), theirs.properties.get(name)];
    if (own === undefined || others === undefined) continue;
    const changed = tellApart(within, { one: own, other: others }, sampling);
    if (changed !== FAILED) return { ...value, [name]: changed };
  }
  return FAILED;
}
