import { ByteReader, ByteWriter, DamagedTrack } from './bytes.ts';

/**
 * Tracks one behind the other, as they are sent: each with its length before it (four bytes, the lowest first), and a
 * length of zero at the end, so that a file that was cut off is never taken for a whole one.
 */
export function inTrackFile(track: Uint8Array): Uint8Array {
  const to = new ByteWriter();
  to.uint32(track.length);
  to.bytes(track);
  return to.finish();
}

/** What stands behind the last track of a file. */
export const END_OF_TRACKS = new Uint8Array(4);

/** The tracks of a file, or a `DamagedTrack`. */
export function tracksIn(file: Uint8Array): Uint8Array[] {
  const from = new ByteReader(file);
  const tracks: Uint8Array[] = [];
  for (let length = from.uint32(); length > 0; length = from.uint32()) tracks.push(from.bytes(length));
  if (from.left > 0) throw new DamagedTrack('The file goes on behind its last track');
  return tracks;
}
