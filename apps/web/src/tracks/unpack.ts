import { tracksIn, unpackColumns } from '@milepost/track';

/** A track as the page draws it. Each property has the values of all points in time order. */
export interface Track {
  /** Milliseconds since 1970. */
  readonly timeMs: Float64Array;
  /** Degrees. */
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  /** Meters per second; NaN where the tracker sent none. */
  readonly speed: Float64Array;
  /** Degrees from north; NaN where the tracker sent none. */
  readonly course: Float32Array;
  /** 1 on, 0 off, -1 unknown. */
  readonly ignition: Int8Array;
  /** 1 if the tracker sent the point from its memory, after newer ones. */
  readonly late: Uint8Array;
  /** When the vehicle reported without a trustworthy position: without GPS, or with a position in doubt. */
  readonly doubtedMs: Float64Array;
  readonly doubtedLat: Float64Array;
  readonly doubtedLon: Float64Array;
  /** 1 with GPS but in doubt, 0 without GPS. */
  readonly doubtedGps: Uint8Array;
}

/** The points of a track file with a trustworthy position. Throws `DamagedTrack`. */
export function unpackTrackFile(file: Uint8Array): Track {
  const parts = tracksIn(file).map(track =>
    unpackColumns(track, ['fixAt', 'lat', 'lon', 'speed', 'course', 'ignition', 'late', 'valid', 'doubts']),
  );
  const count = parts.reduce(
    (sum, { valid, doubts }) => sum + valid.filter((isValid, i) => isValid && doubts[i] === 0).length,
    0,
  );
  const doubted = parts.reduce((sum, { fixAt }) => sum + fixAt.length, 0) - count;
  const numbers = () => new Float64Array(count);
  const track: Track = {
    timeMs: numbers(),
    lat: numbers(),
    lon: numbers(),
    speed: numbers(),
    course: new Float32Array(count),
    ignition: new Int8Array(count),
    late: new Uint8Array(count),
    doubtedMs: new Float64Array(doubted),
    doubtedLat: new Float64Array(doubted),
    doubtedLon: new Float64Array(doubted),
    doubtedGps: new Uint8Array(doubted),
  };
  let next = 0;
  let nextDoubted = 0;
  for (const { fixAt, lat, lon, speed, course, ignition, late, valid, doubts } of parts) {
    for (const [i, timeMs] of fixAt.entries()) {
      if (!valid[i] || doubts[i] !== 0) {
        track.doubtedMs[nextDoubted] = timeMs;
        track.doubtedLat[nextDoubted] = lat[i] as number;
        track.doubtedLon[nextDoubted] = lon[i] as number;
        track.doubtedGps[nextDoubted] = Number(valid[i]);
        nextDoubted++;
        continue;
      }
      track.timeMs[next] = timeMs;
      track.lat[next] = lat[i] as number;
      track.lon[next] = lon[i] as number;
      track.speed[next] = speed[i] ?? Number.NaN;
      track.course[next] = course[i] ?? Number.NaN;
      track.ignition[next] = ignition[i] === null ? -1 : Number(ignition[i]);
      track.late[next] = Number(late[i]);
      next++;
    }
  }
  return track;
}
