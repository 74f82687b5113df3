import type { GeofenceShape } from '@milepost/contract';
import type { TFunction } from 'i18next';
import { copyText } from '../../base/copy-text.ts';
import { formatCoordinates } from '../../format/place.ts';
import { pointsOf } from '../../geofences/shapes.ts';

/** Copies a circle's center, or the points of any other shape, one on each line, as every map reads them. */
export const copyPoints = (shape: GeofenceShape, t: TFunction<'geofence'>): Promise<void> =>
  copyText(
    pointsOf(shape)
      .map(([lon, lat]) => formatCoordinates(lat, lon))
      .join('\n'),
    t('pointsCopied'),
  );
