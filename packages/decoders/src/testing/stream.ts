import { join } from '../bytes.ts';
import type { StreamProtocol } from '../protocol.ts';

export { join };

/** Feeds a stream in pieces, as a socket does, and collects its frames. */
export function framesOf(
  protocol: StreamProtocol,
  stream: Uint8Array,
  pieceBytes: number,
): { frames: Uint8Array[]; garbage: number } {
  const frames: Uint8Array[] = [];
  let garbage = 0;
  let pending: Uint8Array = new Uint8Array(0);
  for (let at = 0; at < stream.length; at += pieceBytes) {
    pending = join([pending, stream.subarray(at, at + pieceBytes)]);
    for (;;) {
      const scan = protocol.nextFrame(pending);
      if (scan.status === 'more') break;
      if (scan.status === 'frame') frames.push(pending.slice(0, scan.end));
      else garbage += scan.end;
      pending = pending.slice(scan.end);
      if (pending.length === 0) break;
    }
  }
  return { frames, garbage };
}
