import type { Language } from '@milepost/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nearOf } from '../../../ingest/report.ts';
import { cellBytes } from '../../../points/line-writer.ts';
import { COMPASS_POINTS, LENGTH, PlaceTexts, TOWN } from '../../../points/place-texts.ts';
import { TEXTS } from '../../notifications/texts/texts.ts';
import { openPlaces } from '../../places/places.ts';
import { placeIn } from './cells.ts';

/** Streets of the demo's city, towns around it, the plains, the sea, and all the world. */
const somewhere = fc.oneof(
  fc.tuple(fc.double({ min: 41.6, max: 42.1, noNaN: true }), fc.double({ min: -88, max: -87.5, noNaN: true })),
  fc.tuple(fc.double({ min: 38, max: 44, noNaN: true }), fc.double({ min: -104, max: -82, noNaN: true })),
  fc.tuple(fc.double({ min: -95, max: 95, noNaN: true }), fc.double({ min: -185, max: 185, noNaN: true })),
);
const STYLES = (['en-US', 'es', 'fr'] as const).flatMap(language =>
  (['mi', 'km'] as const).map(distanceUnit => ({ language, distanceUnit })),
);

it('[R2.04] places are written as their cells are, in every language and unit', async () => {
  const places = await openPlaces();
  const near = (language: Language, unit: string) =>
    COMPASS_POINTS.map(point => TEXTS[language].near(`${LENGTH} ${unit}`, point, TOWN));
  const writers = STYLES.map(style => ({
    style: { ...style, organisation: '', logo: null },
    texts: new PlaceTexts(places.known, {
      isMiles: style.distanceUnit === 'mi',
      near: near(style.language, style.distanceUnit),
    }),
  }));
  fc.assert(
    fc.property(somewhere, fc.constantFrom(...writers), ([lat, lon], { style, texts }) => {
      const place = places.placeOf(lat, lon);
      const towns = nearOf(place);
      const cell = place === null ? '' : placeIn({ address: place.address, ...(towns && { near: towns }) }, style);
      expect(Buffer.from(texts.at(lat, lon)).toString()).toBe(cellBytes(cell).toString());
    }),
    { numRuns: 3000 },
  );
});
