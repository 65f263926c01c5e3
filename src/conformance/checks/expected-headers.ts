import { describeMismatch } from '../scenarios/match-schema.js';
import { answered, type Check } from './check.js';

export const expectedHeadersCheck: Check = {
  id: 'headers',
  title: 'an answer has the header fields that the scenario asks for',
  run(context) {
    const answer = answered(context);
    if (answer === undefined) return [];
    return Object.entries(context.expect.headers ?? {}).flatMap(([name, schema]) => {
      const value = answer.headers[name.toLowerCase()];
      return describeMismatch(schema, value ?? null, `header/${name.toLowerCase()}`);
    });
  },
};
