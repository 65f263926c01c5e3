/** A watched output of this process. */
type Stream = Pick<NodeJS.WriteStream, 'on'>;

/**
 * Keeps a failing output from ending the process. The reader may go away at
 * any time (`| head -1`), which is not a failure; anything else, such as a full
 * disk, is reported once.
 */
export function watchOutput(stream: Stream, onFailure: (code: string) => void): void {
  let told = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (told || error.code === 'EPIPE') return;
    told = true;
    onFailure(error.code ?? String(error));
  });
}
