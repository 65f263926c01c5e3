import { answered, type Check } from './check.js';

export const noBodyCheck: Check = {
  id: 'no-body',
  title: 'a response has no body where HTTP allows none',
  run(context) {
    const answer = answered(context);
    if (answer === undefined || (answer.status !== 204 && answer.status !== 304)) return [];
    const length = answer.headers['content-length'];
    // RFC 9110 section 8.6: no Content-Length with 204. A 304 may state that of the answer it stands for.
    const announced = answer.status === 204 && length !== undefined && length !== '0';
    if (!announced && answer.headers['transfer-encoding'] === undefined) return [];
    return [
      {
        rule: 'no-content',
        at: 'body',
        expected: `no body with ${answer.status}`,
        actual: length === undefined ? 'Transfer-Encoding' : `Content-Length: ${length}`,
      },
    ];
  },
};
