import { TOWN_POPULATION, type TownFinder } from '@milepost/eld';
import { buildPlaceIndex, nearestPlace, type Place } from '@milepost/geo';
import { loadCities } from '../places/cities.ts';

const STATE = /^[A-Z]{2}$/;

let opened: Promise<TownFinder> | null = null;

/** The towns that an event's location refers to (Appendix A, 7.29), from local data: read once a process. */
export function openTowns(): Promise<TownFinder> {
  opened ??= loadCities().then(townFinder);
  return opened;
}

export function townFinder(places: readonly Place[]): TownFinder {
  const towns = places.filter(({ population, region }) => population >= TOWN_POPULATION && STATE.test(region));
  const index = buildPlaceIndex(towns);
  return (lat, lon) => {
    const near = nearestPlace(index, { lat, lon });
    if (near === null) return null;
    const { place, distance, bearing } = near;
    return { name: place.name, state: place.region, distance, bearing };
  };
}
