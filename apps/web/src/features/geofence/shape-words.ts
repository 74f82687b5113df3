import type { GeofenceShape } from '@milepost/contract';
import { metres } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { numberFormat } from '../../format/locale.ts';
import { joined, lengthFigure, type MeasureSystem } from '../../format/measure.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { pointsOf, sizeOf } from '../../geofences/shapes.ts';

const SQUARE_METERS_PER_ACRE = 4046.8564224;
const SQUARE_METERS_PER_HECTARE = 10_000;
const ACRES_PER_SQUARE_MILE = 640;

/** A shape in words: its kind and size. */
export function useShapeWords() {
  const { t } = useTranslation('geofence');
  const system = useMeasureSystem();
  const length = (meters: number): string => joined(lengthFigure(metres(meters), system));
  /** The kind and its one figure. */
  const short = (shape: GeofenceShape): string => {
    switch (shape.kind) {
      case 'circle':
        return t('circle', { radius: length(shape.radiusM) });
      case 'corridor':
        return t('corridor', { width: length(shape.widthM) });
      case 'rectangle':
        return t('rectangle');
      case 'polygon':
        return [
          t('polygon', { count: pointsOf(shape).length }),
          ...(shape.rings.length > 1 ? [t('holes', { count: shape.rings.length - 1 })] : []),
        ].join(', ');
    }
  };
  return {
    short,
    sizes: (shape: GeofenceShape): string => {
      const { area, perimeter } = sizeOf(shape);
      return [short(shape), areaWords(area, system), t('perimeter', { length: length(perimeter) })].join(' · ');
    },
  };
}

/** An area in acres and square miles, or in hectares and square kilometers. */
function areaWords(squareMeters: number, { distance }: MeasureSystem): string {
  const [small, unit, large, largeUnit] =
    distance === 'mi'
      ? ([squareMeters / SQUARE_METERS_PER_ACRE, 'ac', ACRES_PER_SQUARE_MILE, 'mi²'] as const)
      : ([squareMeters / SQUARE_METERS_PER_HECTARE, 'ha', 100, 'km²'] as const);
  const [value, of] = small >= large ? [small / large, largeUnit] : [small, unit];
  return `${numberFormat({ maximumSignificantDigits: 3 }).format(value)}\u202f${of}`;
}
