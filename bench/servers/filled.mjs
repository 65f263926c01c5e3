// The mock with as many pets as are asked for; tells its memory on the way.
import { startPetstoreMock } from '../../dist/index.js';

const [port, count] = process.argv.slice(2).map(Number);
const STATUSES = ['available', 'pending', 'sold'];
const mock = await startPetstoreMock({ port, fixtures: 'empty', maxPets: 10_000_000 });
for (let index = 0; index < count; index++) {
  const name = JSON.parse(`"Pet ${index}"`);
  await mock.pets.add({ name, categoryId: 1 + (index % 6), status: STATUSES[index % 3] });
}
