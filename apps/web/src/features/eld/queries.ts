import {
  listInspections,
  listLogDays,
  listLogExports,
  listMalfunctions,
  listProposals,
  listRoster,
  listUnidentified,
  readAvailability,
  readCarrier,
  readLogDay,
} from '@milepost/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../base/api.ts';
import { BOARD_EVERY_MS } from '../../changes/keep-board.ts';

export const daysQuery = (from: string, to: string, driverId?: string) =>
  queryOptions({
    queryKey: ['eld', 'days', from, to, driverId ?? null],
    queryFn: () => call(listLogDays, { query: { from, to, ...(driverId !== undefined && { driverId }) } }),
  });

export const dayQuery = (driverId: string, date: string) =>
  queryOptions({
    queryKey: ['eld', 'day', driverId, date],
    queryFn: () => call(readLogDay, { params: { driverId, date } }),
  });

export const unidentifiedQuery = queryOptions({
  queryKey: ['eld', 'unidentified'],
  queryFn: () => call(listUnidentified),
});

export const proposalsQuery = (driverId?: string) =>
  queryOptions({
    queryKey: ['eld', 'proposals', driverId ?? null],
    queryFn: () => call(listProposals, { query: driverId === undefined ? {} : { driverId } }),
  });

export const malfunctionsQuery = queryOptions({
  queryKey: ['eld', 'malfunctions'],
  queryFn: () => call(listMalfunctions),
});

export const inspectionsQuery = queryOptions({
  queryKey: ['eld', 'inspections'],
  queryFn: () => call(listInspections),
});

export const exportsQuery = queryOptions({ queryKey: ['eld', 'exports'], queryFn: () => call(listLogExports) });

export const rosterQuery = queryOptions({ queryKey: ['eld', 'roster'], queryFn: () => call(listRoster) });

export const availabilityQuery = (driverId: string) =>
  queryOptions({
    queryKey: ['eld', 'availability', driverId],
    queryFn: () => call(readAvailability, { params: { driverId } }),
    refetchInterval: BOARD_EVERY_MS,
  });

export const carrierQuery = queryOptions({ queryKey: ['eld', 'carrier'], queryFn: () => call(readCarrier) });
