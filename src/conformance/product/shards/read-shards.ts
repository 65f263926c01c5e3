import { checkAgainstSchema, compileFileSchema } from '../../../contract/check-against-schema.js';
import { readDocument } from '../../../contract/document/document.js';
import { PetstoreMockError } from '../../../errors.js';
import type { RunResult } from '../../model/result.js';
import type { Shard } from '../../model/shard.js';

/** The result of one shard. */
export type ShardResult = RunResult & { shard: Shard };

const SCHEMA_FILE = 'spec/conformance-result.schema.json';

/**
 * Reads the JSON results of all shards of a run, in their order. Throws a {@link PetstoreMockError} for a file that is not
 * such a result, for one of another run, and for a shard that is missing or given twice.
 */
export function readShards(paths: readonly string[]): ShardResult[] {
  const given = paths.map((path) => ({ path, result: readShard(path) }));
  const [first] = given;
  if (first === undefined) throw unusable('there is no result to merge; name the JSON results of all shards.');
  for (const { path, result } of given) refuseOther(path, result, first);
  for (let index = 1; index <= first.result.shard.of; index++) {
    const same = given.filter(({ result }) => result.shard.index === index);
    const name = `shard ${index}/${first.result.shard.of}`;
    if (same.length === 0) throw unusable(`${name} is missing; name the JSON results of all shards.`);
    if (same.length > 1)
      throw unusable(`${name} is there ${same.length} times: ${same.map(({ path }) => path).join(', ')}.`);
  }
  return given.map(({ result }) => result).toSorted((a, b) => a.shard.index - b.shard.index);
}

function readShard(path: string): ShardResult {
  const document = readDocument(path, { code: 'unusable-result', kind: 'report' });
  checkAgainstSchema(document, compileFileSchema(SCHEMA_FILE), 'unusable-result');
  const result = document.root as RunResult;
  const { shard } = result;
  if (shard === undefined) throw unusable(`${path} is the result of a whole run; merge those of runs with --shard.`);
  return { ...result, shard };
}

/** All parts of a run have the same target, contract and number of shards. */
function refuseOther(path: string, result: ShardResult, first: { path: string; result: ShardResult }): void {
  const told = describeRun(result);
  const wanted = describeRun(first.result);
  if (told !== wanted) throw unusable(`${path} belongs to another run than ${first.path}: ${told}, not ${wanted}.`);
}

function describeRun({ target, contract, shard }: ShardResult): string {
  return `${shard.of} shards of ${contract.title} ${contract.version} at ${target}`;
}

function unusable(message: string): PetstoreMockError {
  return new PetstoreMockError('unusable-result', message);
}
