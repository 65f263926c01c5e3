import { answered, type Check } from './check.js';

export const unaskedCredentialsCheck: Check = {
  id: 'unasked-credentials',
  title: 'credentials are required only where the contract requires them',
  run(context) {
    const answer = answered(context);
    const { operation } = context.sent;
    if (answer?.withoutCredentials === undefined || operation === undefined) return [];
    return [
      {
        rule: 'unasked-credentials',
        at: 'request/credentials',
        expected: 'a success without credentials, since the contract requires none',
        actual: `${answer.withoutCredentials} without credentials, ${answer.status} with those that were given`,
        contractPointer: operation.pointer,
      },
    ];
  },
};
