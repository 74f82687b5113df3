import { type PerformanceDays, readDriverPerformance, readMyPerformance, readPerformance } from '@milepost/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../base/api.ts';

/** While another period loads, the page keeps the figures, and the dates, of the one before. */
export const performanceQuery = (days: PerformanceDays) =>
  queryOptions({
    queryKey: ['eld', 'performance', days],
    queryFn: () => call(readPerformance, { query: { days } }),
    placeholderData: keepPreviousData,
  });

/** A driver’s, for the desk. */
export const driverPerformanceQuery = (driverId: string, days: PerformanceDays) =>
  queryOptions({
    queryKey: ['eld', 'performance', days, driverId],
    queryFn: () => call(readDriverPerformance, { params: { driverId }, query: { days } }),
  });

/** The signed-in driver’s own. */
export const myPerformanceQuery = (days: PerformanceDays) =>
  queryOptions({
    queryKey: ['eld', 'performance', days, 'mine'],
    queryFn: () => call(readMyPerformance, { query: { days } }),
    placeholderData: keepPreviousData,
  });
