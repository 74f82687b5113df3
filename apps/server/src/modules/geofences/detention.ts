import type { Detention } from '@milepost/contract';

interface Columns {
  readonly detention_free_minutes: number | null;
  readonly detention_per_hour: number | null;
}

export const detentionColumns = (detention: Detention | null): Columns => ({
  detention_free_minutes: detention?.freeMinutes ?? null,
  detention_per_hour: detention?.perHour ?? null,
});

export const toDetention = ({ detention_free_minutes, detention_per_hour }: Columns): Detention | null =>
  detention_free_minutes === null || detention_per_hour === null
    ? null
    : { freeMinutes: detention_free_minutes, perHour: detention_per_hour };
