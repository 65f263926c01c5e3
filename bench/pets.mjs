// The same pets for every server: those that the mock starts with, copied until there are 500, oldest first.
import { readFileSync } from 'node:fs';

const COUNT = 500;
const shipped = JSON.parse(readFileSync(new URL('../fixtures/default.generated.json', import.meta.url), 'utf8'));

export const pets = Array.from({ length: COUNT }, (_, index) =>
  Object.assign({ id: index + 1 }, shipped[index % shipped.length]),
);
