export { DamagedTrack } from './bytes.ts';
export type { SomeColumns, TrackColumns } from './columns.ts';
export { END_OF_TRACKS, inTrackFile, tracksIn } from './file.ts';
export { shortestOfFour } from './numbers.ts';
export type { TrackPosition } from './position.ts';
export {
  headerOf,
  headOf,
  type OpenTrack,
  openTrack,
  type Packing,
  packColumns,
  packTrack,
  type TrackHeader,
  unpackColumns,
  unpackTrack,
} from './track.ts';
