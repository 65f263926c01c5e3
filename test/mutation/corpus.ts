// What `npm run bench:curve` measures with.
export { mutantList } from './mutants/index.js';
export { startMutationServer } from './server/start-server.js';
