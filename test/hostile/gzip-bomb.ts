import { constants, deflateRawSync } from 'node:zlib';

const blockSize = 2 ** 20;
const blocks = 1024;
/** CRC-32 of 2^30 zero bytes; it takes half a second to compute, and never changes. */
const crcOfZeros = 0x5b64c2b0;

/**
 * 1 GiB of zeros as one gzip stream of about 1 MB (RFC 1952). One compressed
 * MiB is repeated, which works because a full flush ends each at a byte and
 * lets it refer to nothing before.
 */
export function* makeGzipBomb(): Generator<Buffer> {
  const block = deflateRawSync(Buffer.alloc(blockSize), { finishFlush: constants.Z_FULL_FLUSH });
  yield Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
  for (let index = 0; index < blocks; index += 1) yield block;
  const end = Buffer.from([0x03, 0x00, 0, 0, 0, 0, 0, 0, 0, 0]);
  end.writeUInt32LE(crcOfZeros, 2);
  end.writeUInt32LE(blocks * blockSize, 6);
  yield end;
}
