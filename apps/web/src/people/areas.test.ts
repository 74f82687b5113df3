import { PERMISSIONS, PERSONAL_PERMISSIONS } from '@milepost/contract';
import { expect, it } from 'vitest';
import { AREAS, permissionsOfArea } from './areas.ts';

it('every permission is in one area, but for those that everybody has', () => {
  const shown = AREAS.flatMap(permissionsOfArea);
  expect(shown.toSorted()).toEqual(
    PERMISSIONS.filter(one => !PERSONAL_PERMISSIONS.some(own => own === one)).toSorted(),
  );
});
