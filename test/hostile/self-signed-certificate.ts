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
  const name = der(0x30, der(0x31, der(0x30, der(0x06, commonName), der(0x0c, Buffer.from('localhost')))));
  const algorithm = der(0x30, der(0x06, ecdsaWithSha256));
  const validity = ['200101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time)));
  const ownKey = publicKey.export({ type: 'spki', format: 'der' });
  const content = der(0x30, der(0x02, Buffer.from([1])), algorithm, name, der(0x30, ...validity), name, ownKey);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const lines =
    der(0x30, content, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  const cert = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
}

// The object identifiers 2.5.4.3 and 1.2.840.10045.4.3.2 as DER writes them.
const commonName = Buffer.from([0x55, 0x04, 0x03]);
const ecdsaWithSha256 = Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]);

/** A value of a tag: 0x30 is a sequence, 0x31 a set, 0x06 an object identifier, 0x0c a text, 0x17 a time, 0x03 bits. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
