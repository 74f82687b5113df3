import { findTowns, TOWN_SEARCH_MIN, type Town } from '@milepost/contract';
import { IconBuildingCommunity } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { call } from '../../../base/api.ts';
import { askForView } from '../../../map/asked-view.ts';
import { paths } from '../../../paths.ts';
import type { PaletteItem } from '../item.ts';

/** Search only after the user has stopped typing for this long. */
const PAUSE_MS = 200;
/** Shows a town and its surroundings. */
const TOWN_ZOOM = 11;

/**
 * Towns anywhere in the world whose names start with the query, found by the server. Choosing one moves the map there.
 */
export function useTowns(query: string): readonly PaletteItem[] {
  const navigate = useNavigate();
  const asked = useLater(query.trim(), PAUSE_MS);
  const isEnough = asked.length >= TOWN_SEARCH_MIN;
  const { data } = useQuery({
    queryKey: ['towns', asked],
    queryFn: () => call(findTowns, { query: { q: asked } }),
    enabled: isEnough,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    const itemOf = ({ name, region, lat, lon }: Town): PaletteItem => ({
      id: `town:${lat},${lon}`,
      group: 'places',
      Icon: IconBuildingCommunity,
      title: name,
      subtitle: region,
      keywords: `${name} ${region}`,
      once: true,
      run: () => {
        askForView({ center: [lon, lat], zoom: TOWN_ZOOM });
        void navigate(paths.dashboard());
      },
    });
    return isEnough ? (data ?? []).map(itemOf) : [];
  }, [data, isEnough, navigate]);
}

function useLater(value: string, ms: number): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return later;
}
