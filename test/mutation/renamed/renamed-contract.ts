import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../../src/package-files.js';
import { makeFolder } from '../../support/folder.js';
import type { MountPoint } from '../server/start-server.js';

/** Where the petstore by other names has its pets. */
export const ELSEWHERE: MountPoint = { base: '/shop/v2', list: '/animals' };

/** Everything of the shipped document that is a name and no rule; what follows the first is renamed in order. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\/v1\b/g, ELSEWHERE.base],
  [/ {2}\/pets\/\{petId\}:/, `  ${ELSEWHERE.list}/{id}:`],
  [/ {2}\/pets:/, `  ${ELSEWHERE.list}:`],
  [/name: petId/g, 'name: id'],
  [/title: Petstore/, 'title: Zoo'],
  [/\bNewPet\b/g, 'AnimalDraft'],
  [/\bPetStatus\b/g, 'Availability'],
  [/\bPets\b/g, 'Herd'],
  [/\bPet\b/g, 'Animal'],
  [/\bpets\b/g, 'animals'],
  [/(schemas\/| {4})Error\b/g, '$1Fault'],
  [/(responses\/| {4})Unauthorized\b/g, '$1NoKey'],
  [/(responses\/| {4})ClientError\b/g, '$1TheirFault'],
  [/(responses\/| {4})ServerError\b/g, '$1OurFault'],
  [/\bapiKey\b/g, 'token'],
];

const OPERATION_IDS: readonly (readonly [RegExp, string])[] = [
  [/\blistPets\b/g, 'browseAnimals'],
  [/\bcreatePet\b/g, 'addAnimal'],
  [/\bgetPet\b/g, 'readAnimal'],
];

export interface RenamedOptions {
  operationIds: 'kept' | 'renamed';
}

/**
 * The path of the shipped contract by other names, at another place; with other operationIds, the engine for any
 * contract judges it.
 */
export function writeRenamed({ operationIds }: RenamedOptions): string {
  const names = operationIds === 'kept' ? NAMES : [...NAMES, ...OPERATION_IDS];
  const text = names.reduce(
    (whole, [name, other]) => whole.replace(name, other),
    readFileSync(packageFile('spec/petstore.openapi.yaml'), 'utf8'),
  );
  const path = join(makeFolder(), 'renamed.openapi.yaml');
  writeFileSync(path, text);
  return path;
}
