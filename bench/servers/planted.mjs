// The program's own server, with a bug planted behind its validation: every pet that is listed has a number for a name.
import { setUp } from '../../build/server/set-up.js';
import { startServer } from '../../build/server/start-petstore-mock.js';

const { worlds } = setUp();
const { handlers } = worlds.default;
const broken = (call) => {
  const response = handlers.listPets(call);
  const value = response.body.value.map((pet) => Object.assign({}, pet, { name: 5 }));
  return Object.assign({}, response, { body: { value, text: JSON.stringify(value) } });
};
worlds.default.handlers = Object.assign({}, handlers, { listPets: broken });
await startServer(worlds, { host: '127.0.0.1', port: Number(process.argv[2]), cors: true });
