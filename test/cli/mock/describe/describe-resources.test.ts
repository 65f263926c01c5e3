import { expect, test } from 'vitest';
import { describeResources, toResourceFacts } from '../../../../src/cli/mock/describe.js';
import { loadContract } from '../../../../src/contract/contract.js';
import { packageFile } from '../../../../src/package-files.js';

const load = (name: string) => loadContract(packageFile(`test/contract/resources/support/documents/${name}.yaml`));

test('a person reads each resource in a line: its key, who gives it, to what it belongs, what is done to it', () => {
  expect(describeResources(load('chores'))).toEqual([
    'resource  lists  slug (text of the client)              list listLists, create createList, get getList, replace putList, remove deleteList',
    'resource  tasks  id (integer of the service, in lists)  list listTasks, create createTask, get getTask, remove deleteTask, action cancelTask',
    'resource  me     one                                    get getMe, update updateMe',
  ]);
});

test('what is not sure has its place', () => {
  const contract = load('kennel');
  for (const { responses } of contract.operations.slice(0, 1)) responses.length = 0;
  expect(describeResources(contract).at(-1)).toMatch(
    /^unsure {4}.*kennel\.yaml:\d+:\d+: listDogs is stateless: its response does not list records of dogs$/,
  );
});

test('the same is there as data', () => {
  expect(toResourceFacts(load('kennel'))).toMatchObject({
    resources: [
      {
        name: 'dogs',
        itemPath: '/dogs/{dogId}',
        key: { property: 'id', givenBy: 'client' },
        operations: [
          { role: 'list', operationId: 'listDogs', method: 'GET', path: '/dogs' },
          { role: 'create', operationId: 'createDogs' },
          { role: 'get', operationId: 'showDogById' },
        ],
      },
    ],
    singletons: [],
    unsure: [],
  });
});
