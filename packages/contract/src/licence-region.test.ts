import { describe, expect, it } from 'vitest';
import { licenceRegionSchema, stateCode } from './licence-region.ts';
import { newDriverSchema } from './routes/drivers.ts';

describe('who issued a license', () => {
  it.each([
    ['Illinois', 'IL'],
    [' il ', 'IL'],
    ['I.L.', 'IL'],
    ['US-IL', 'IL'],
    ['us il', 'IL'],
    ['CA', 'CA'],
    ['CA-QC', 'QC'],
    ['Québec', 'QC'],
    ['quebec', 'QC'],
    ['Nouvelle-Écosse', 'NS'],
    ['new york', 'NY'],
    ['Washington, D.C.', 'DC'],
    ['Washington', 'WA'],
  ])('“%s” is %s', (region, code) => {
    expect(stateCode(region)).toBe(code);
    expect(licenceRegionSchema.parse(region)).toBe(code);
  });

  it.each(['Nuevo León', 'Bayern', '', 'US-', 'US', 'XX', '東京'])('“%s” stays as it is written', region => {
    expect(stateCode(region)).toBeNull();
    expect(licenceRegionSchema.parse(region)).toBe(region);
  });

  it('is the same however a form sends it, and empty is none', () => {
    const read = (licenceRegion: string) => newDriverSchema.parse({ name: 'Ann', licenceRegion }).licenceRegion;
    expect([read('ontario'), read(' On '), read('')]).toEqual(['ON', 'ON', null]);
  });
});
