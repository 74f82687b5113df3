import { newVehicleSchema } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { METRIC, US } from '../format/measure.ts';
import { vehicle } from '../live/testing/fleet.ts';
import { bodyOf, listOf, valuesOf } from './vehicle-form.ts';

const TRUCK = vehicle('356307042441013', {
  year: 2022,
  make: 'Kenworth',
  model: 'T680',
  fuelType: 'diesel',
  tankLitres: 454.2,
  odometerOffsetKm: 1609.344,
  tags: ['Long haul', 'ADR'],
});

describe('a vehicle in a form', () => {
  it('is in the reader’s units', () => {
    expect(valuesOf(TRUCK, US)).toMatchObject({ tankLitres: '120', odometerOffsetKm: '1000', year: '2022', plate: '' });
    expect(valuesOf(TRUCK, METRIC)).toMatchObject({ tankLitres: '454.2', odometerOffsetKm: '1609.3' });
  });

  it('comes back in the contract’s, as far as it was changed', () => {
    expect(bodyOf({ tankLitres: '100', tags: 'ADR,  reefer ,' }, US)).toEqual({
      tankLitres: '378.541',
      tags: ['ADR', 'reefer'],
    });
    expect(bodyOf({ odometerOffsetKm: '', plate: '' }, US)).toEqual({ odometerOffsetKm: 0, plate: '' });
  });

  it('matches what the server accepts, and reports what is not a number', () => {
    const partial = newVehicleSchema.partial();
    expect(partial.parse(bodyOf(valuesOf(TRUCK, US), US))).toMatchObject({
      year: 2022,
      plate: null,
      folderId: null,
      tags: ['Long haul', 'ADR'],
    });
    expect(partial.safeParse(bodyOf({ tankLitres: 'full' }, US)).success).toBe(false);
    expect(partial.safeParse(bodyOf({ odometerOffsetKm: 'x' }, METRIC)).success).toBe(false);
  });

  it('tags are separated by commas', () => {
    expect(listOf(' a, b c ,,d')).toEqual(['a', 'b c', 'd']);
    expect(listOf('')).toEqual([]);
  });
});
