import { formatCount } from '../../format/locale.ts';
import type { MeasureSystem } from '../../format/measure.ts';

export interface Scale {
  readonly px: number;
  readonly label: string;
}

const FEET_PER_MILE = 5280;
const METRES_PER_MILE = 1609.344;

/** The longest round distance that fits into `maxPx`, given the meters per pixel. */
export function scaleOf(metresPerPixel: number, maxPx: number, system: MeasureSystem): Scale {
  const maxMetres = metresPerPixel * maxPx;
  if (system.distance === 'mi') {
    const maxMiles = maxMetres / METRES_PER_MILE;
    return maxMiles < 0.5 ? rounded(maxMiles * FEET_PER_MILE, maxPx, 'ft') : rounded(maxMiles, maxPx, 'mi');
  }
  return maxMetres < 1000 ? rounded(maxMetres, maxPx, 'm') : rounded(maxMetres / 1000, maxPx, 'km');
}

function rounded(most: number, maxPx: number, unit: string): Scale {
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [5, 2, 1].find(factor => factor * power <= most) ?? 1;
  const value = step * power;
  return { px: (value / most) * maxPx, label: `${formatCount(value)} ${unit}` };
}
