// What `npm run learn-order` learns from.
export { mutantList } from './mutants/index.js';
export { startMutationServer } from './server/start-server.js';
