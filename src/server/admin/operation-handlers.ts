import { describeOperation } from './describe-operation.js';
import { NotThere, ok, type AdminHandler } from './handler.js';

/** What a request may have, from the contract and the records of a world. */
export const operationHandlers: Readonly<Record<string, AdminHandler>> = {
  async describeOperation({ world: { name }, worlds, path }) {
    const entry = worlds.enter(name);
    if (!('world' in entry)) throw new NotThere(`there is no world ${name}`);
    const id = String(path['operationId']);
    const operation = entry.world.contract.operations.find((each) => each.id === id);
    if (operation === undefined) throw new NotThere(`the contract has no operation ${id}`);
    return ok(describeOperation(operation, entry.world));
  },
};
