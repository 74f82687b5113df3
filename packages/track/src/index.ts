export { DamagedTrack } from './bytes.ts';
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
  type TrackColumns,
  type TrackHeader,
  unpackColumns,
  unpackTrack,
} from './track.ts';
