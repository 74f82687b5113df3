import { readDriverPerformance, readPerformance } from '@milepost/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../base/api.ts';

export const performanceQuery = queryOptions({
  queryKey: ['eld', 'performance'],
  queryFn: () => call(readPerformance),
});

export const driverPerformanceQuery = (driverId: string) =>
  queryOptions({
    queryKey: ['eld', 'performance', driverId],
    queryFn: () => call(readDriverPerformance, { params: { driverId } }),
  });
