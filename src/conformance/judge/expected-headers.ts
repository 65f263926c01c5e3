import { describeMismatch } from './match-schema.js';
import { findBadSchema } from './judge-schema.js';
import { isRecord, show } from './shown.js';
import { within, type Keyword } from './keyword.js';
import { answered, type Check } from './check.js';

export const expectedHeadersCheck: Check = {
  id: 'headers',
  title: 'a response has the header fields that the scenario requires',
  onRequest: true,
  run(context) {
    const answer = answered(context);
    if (answer === undefined) return [];
    return Object.entries(context.expect.headers ?? {}).flatMap(([name, schema]) => {
      const value = answer.headers[name.toLowerCase()];
      return describeMismatch(schema, value ?? null, `header/${name.toLowerCase()}`);
    });
  },
};

export const headersKeyword: Keyword = {
  check: expectedHeadersCheck,
  looksAt: 'answer',
  findMistake(value, given) {
    if (given.isOpen(value)) return undefined;
    if (!isRecord(value) || Object.keys(value).length === 0) {
      return { at: '', message: `it must name a header field, with its JSON Schema, but is ${show(value)}.` };
    }
    for (const [name, schema] of Object.entries(value)) {
      const mistake = findBadSchema(schema, given, 'text');
      if (mistake !== undefined) return within(`/${name}`, mistake);
    }
    return undefined;
  },
};
