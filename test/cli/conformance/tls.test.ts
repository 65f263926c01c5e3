import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTls } from '../../../src/cli/conformance/settings.js';
import { makeFolder } from '../../support/folder.js';
import { makeSelfSignedCertificate } from '../../hostile/self-signed-certificate.js';
import { readRunnerOptions } from '../support/runner-options.js';

const PASSPHRASE = 'open-sesame-12345';
const own = makeSelfSignedCertificate();
const other = makeSelfSignedCertificate();
const locked = createPrivateKey(own.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: PASSPHRASE,
});
const folder = makeFolder({
  'own.pem': own.cert,
  'own.key': own.key,
  'both.pem': own.cert + own.key,
  'two.pem': own.cert + other.cert,
  'other.key': other.key,
  'locked.key': String(locked),
  'broken.pem': own.cert.replace(/[A-Za-z]{8}/, 'AAAAAAAA').replace(/\n[^-\n]{10}/, '\n'),
  'no.pem': 'no certificate',
});
const at = (name: string): string => join(folder, name);

const read = (args: string[], env: Record<string, string> = {}) => readTls(readRunnerOptions(args, env), env);

test('without flags there is nothing to trust or to show', () => {
  expect(read([])).toEqual({ ca: undefined, clientCertificate: undefined, insecure: false });
  expect(read(['--insecure']).insecure).toBe(true);
});

test('authorities are read, one or several', () => {
  expect(read(['--ca', at('own.pem')]).ca).toBe(own.cert);
  expect(read(['--ca', at('two.pem')]).ca).toBe(own.cert + other.cert);
});

test('a client certificate comes with its key, from two files or from one', () => {
  expect(read(['--cert', at('own.pem'), '--cert-key', at('own.key')]).clientCertificate).toMatchObject(own);
  expect(read(['--cert', at('both.pem')]).clientCertificate?.key).toBe(own.cert + own.key);
});

test('a locked key is unlocked by the variable', () => {
  const args = ['--cert', at('own.pem'), '--cert-key', at('locked.key')];
  expect(read(args, { PETSTORE_CERT_PASSPHRASE: PASSPHRASE }).clientCertificate?.passphrase).toBe(PASSPHRASE);
  expect(() => read(args)).toThrow('is locked; set PETSTORE_CERT_PASSPHRASE to its passphrase.');
  expect(() => read(args, { PETSTORE_CERT_PASSPHRASE: '' })).toThrow('is locked');
  expect(() => read(args, { PETSTORE_CERT_PASSPHRASE: 'wrong' })).toThrow(
    `the passphrase does not unlock the key in ${at('locked.key')}.`,
  );
});

test.each([
  [['--ca', 'no.pem'], /^--ca: .*no\.pem has no readable PEM certificates\.$/],
  [['--ca', 'broken.pem'], /broken\.pem has no readable PEM certificates\.$/],
  [['--cert', 'no.pem', '--cert-key', 'own.key'], /^--cert: .*no\.pem has no readable PEM certificates\.$/],
  [['--cert', 'own.pem'], /own\.pem has no readable PEM private key\.$/],
  [['--cert', 'own.pem', '--cert-key', 'no.pem'], /no\.pem has no readable PEM private key\.$/],
  [['--cert', 'own.pem', '--cert-key', 'other.key'], /other\.key is not the key of the certificate in .*own\.pem\.$/],
  [['--cert-key', 'own.key'], /^--cert-key needs --cert, the certificate of this key\.$/],
])('what would fail later is refused at once: %s', (args, message) => {
  expect(() => read(args.map((each) => (each.startsWith('--') ? each : at(each))))).toThrow(message);
});
