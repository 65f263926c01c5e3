import type { Exchanged } from './check-context.js';
import type { RecordLedger, Representation } from '../../../src/conformance/ledger/record-ledger.js';
import { error, fetched, rex, tom, type CheckExamples } from './check-examples.js';

type Wire = NonNullable<Exchanged['wire']>;

const wire: Wire = { target: '/pets/1', headers: { Accept: 'application/json' }, body: undefined };
const withField = (name: string, value: string): Wire => ({ ...wire, headers: { ...wire.headers, [name]: value } });
const ranged = (range: string): Wire => withField('Range', range);
const NAME = '/pets/1\naccept: application/json';
const WHOLE = 'abcdefghij';
const etag = '"1"';

function knows(tag: string, value: unknown): (ledger: RecordLedger) => void {
  const shown: Representation = { digest: '', value };
  return ({ representations }) => void representations.set(`${NAME}\n${tag}`, shown).set(`/pets/1\n${tag}`, shown);
}

function knowsWhole({ representations }: RecordLedger): void {
  const shown: Representation = { digest: '', value: undefined, bytes: Buffer.from(WHOLE) };
  representations.set(`${NAME}\n${etag}`, shown).set(NAME, shown);
}

const cut = (text: string, range: string): { status: number; text: string; headers: Record<string, string> } => ({
  status: 206,
  text,
  headers: { etag, 'content-range': `bytes ${range}/10` },
});

export const validatorExamples: Record<string, CheckExamples> = {
  validators: {
    sound: {
      'the same again': fetched(rex, { wire, headers: { etag }, knows: knows(etag, rex) }),
      'another value with another tag': fetched(tom, { wire, headers: { etag: '"2"' }, knows: knows(etag, rex) }),
      'another value with a weak tag': fetched(tom, { wire, headers: { etag: 'W/"1"' }, knows: knows('W/"1"', rex) }),
      'the part that was asked for': { wire: ranged('bytes=0-3'), ...cut('abcd', '0-3'), knows: knowsWhole },
      'the last octets': { wire: ranged('bytes=-2'), ...cut('ij', '8-9'), knows: knowsWhole },
    },
    broken: {
      'another value with the same tag': [
        fetched(tom, { wire, headers: { etag }, knows: knows(etag, rex) }),
        'kept-etag header/etag',
      ],
      'the first octets in place of the last': [
        { wire: ranged('bytes=-2'), ...cut('ab', '0-1'), knows: knowsWhole },
        'range header/content-range',
      ],
      'other octets': [{ wire: ranged('bytes=0-3'), ...cut('abcX', '0-3'), knows: knowsWhole }, 'octets body'],
      'a part beyond the end': [{ wire: ranged('bytes=99-'), ...cut('j', '9-9'), knows: knowsWhole }, 'range status'],
      'no part, though it is there': [
        { wire: ranged('bytes=0-3'), status: 416, body: error(416), knows: knowsWhole },
        'range status',
      ],
    },
  },
  'error-leak': {
    sound: {
      'an error of its own member': {
        wire: { ...wire, body: Buffer.from('{"noSuchField":1}') },
        status: 400,
        body: { ...error(400), message: 'noSuchField' },
      },
    },
    broken: {
      'an error of a member that another request had': [
        {
          wire: { ...wire, body: Buffer.from('{"name":1}') },
          status: 400,
          body: { ...error(400), message: 'name, noSuchField' },
        },
        'leak body',
      ],
    },
  },
};
