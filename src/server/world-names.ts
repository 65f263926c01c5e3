import type { Contract } from '../contract/contract.js';
import { DEFAULT_WORLD } from '../mock/persistence/changes.js';

export const WORLD_HEADER = 'X-Petstore-World';
export const WORLDS_PATH = '/worlds';

/** The path of a world's API: `/v1` for the default one, else `/worlds/w3/v1`. */
export const worldPath = (name: string, basePath: string): string =>
  name === DEFAULT_WORLD ? basePath : `${WORLDS_PATH}/${name}${basePath}`;

export const ADMIN_PATH = '/__admin';
export const TOOLS_PATH = `${ADMIN_PATH}/mcp`;

/** Whether a contract has paths where the admin API is, which has precedence unless it is off. */
export const hasAdminPaths = ({ basePath, operations }: Pick<Contract, 'basePath' | 'operations'>): boolean =>
  operations.some(({ path, server }) => `${server?.basePath ?? basePath}${path}/`.startsWith(`${ADMIN_PATH}/`));

/** The path of the pages' files. It is not below the admin API, since the page at `/` exists without one. */
export const ASSETS_PATH = '/__console/';
