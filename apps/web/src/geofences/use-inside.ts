import { listInside, type RouteAnswer } from '@milepost/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../base/api.ts';

export type InsideNow = RouteAnswer<typeof listInside>;

const insideQuery = queryOptions({ queryKey: ['visits', 'inside'], queryFn: () => call(listInside) });

/** Who is inside which geofence; counted anew by the server whenever a vehicle crosses an edge. */
export const useInside = ({ enabled = true } = {}) => useQuery({ ...insideQuery, enabled });
