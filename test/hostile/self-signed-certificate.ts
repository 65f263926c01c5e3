import { generateKeyPairSync, sign } from 'node:crypto';

/** A private key and a certificate for `localhost`, both PEM. */
export type KeyAndCertificate = { readonly key: string; readonly cert: string };

/**
 * Makes a certificate that nobody signed but itself: the few fields of X.509
 * version 1, written in DER by hand, so that neither openssl nor a private key
 * in the repository is needed.
 */
export function makeSelfSignedCertificate(): KeyAndCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(set(sequence(objectId(commonName), utf8String('localhost'))));
  const algorithm = sequence(objectId(ecdsaWithSha256));
  const content = sequence(
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: toPem(certificate) };
}

// The object identifiers 2.5.4.3 and 1.2.840.10045.4.3.2 as DER writes them.
const commonName = [0x55, 0x04, 0x03];
const ecdsaWithSha256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];

function der(tag: number, content: Buffer): Buffer {
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(...parts: Buffer[]): Buffer {
  return der(0x31, Buffer.concat(parts));
}

function objectId(bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function utf8String(text: string): Buffer {
  return der(0x0c, Buffer.from(text));
}

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text));
}

function toPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
