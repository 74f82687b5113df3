import { type RouteAnswer, readSettingChanges } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../app/api.ts';

export type SettingsAnswer = RouteAnswer<typeof readSettingChanges>;

export const SETTINGS_QUERY = ['settings', 'changes'] as const;

/** The account's settings, and who changed which. */
export const useSettings = () => useQuery({ queryKey: SETTINGS_QUERY, queryFn: () => call(readSettingChanges) });
