/** An output of this process, as far as it is watched. */
type Stream = Pick<NodeJS.WriteStream, 'on'>;

/**
 * Keeps an output that fails from ending the process. Whoever reads may go at
 * any time (`| head -1`), which is no failure; anything else, such as a full
 * disk, is told once.
 */
export function watchOutput(stream: Stream, onFailure: (code: string) => void): void {
  let told = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (told || error.code === 'EPIPE') return;
    told = true;
    onFailure(error.code ?? String(error));
  });
}
