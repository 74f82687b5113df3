import { readMapChoice } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../base/api.ts';
import { useMayChooseMap } from '../base/base-map.ts';

export const MAP_CHOICE_KEY = ['map-choice'];

/** Where the map comes from. Only read for users who may choose it. */
export const useMapChoice = () =>
  useQuery({ queryKey: MAP_CHOICE_KEY, queryFn: () => call(readMapChoice), enabled: useMayChooseMap() });
