import { type Address, findAddresses, findTowns, type Language, TOWN_SEARCH_MIN, type Town } from '@milepost/contract';
import { IconBuildingCommunity, IconMapPin, IconMapPinOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../base/api.ts';
import { askForPlace, askForView } from '../../../map/asked-view.ts';
import { paths } from '../../../paths.ts';
import type { PaletteItem } from '../item.ts';

/** Search only after the user has stopped typing for this long. */
const PAUSE_MS = 200;
export const ADDRESS = 'address:';
/** The address service may belong to others. */
const ADDRESS_PAUSE_MS = 500;
/** Shows a town and its surroundings, or the streets around an address. */
const TOWN_ZOOM = 11;
const ADDRESS_ZOOM = 16;

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

/**
 * Addresses that the server's own address service finds. A server without one is asked once; if the service doesn't
 * answer, an item says so, because no result would look like no such address.
 */
export function useAddresses(query: string): readonly PaletteItem[] {
  const navigate = useNavigate();
  const { i18n, t } = useTranslation('palette');
  const asked = useLater(query.trim(), ADDRESS_PAUSE_MS);
  const [isOffered, setIsOffered] = useState(true);
  const isAsked = isOffered && asked.length >= TOWN_SEARCH_MIN;
  const { data } = useQuery({
    queryKey: ['addresses', i18n.language, asked],
    queryFn: async () => {
      const found = await call(findAddresses, { query: { q: asked, language: i18n.language as Language } });
      if (found.service === 'none') setIsOffered(false);
      return found;
    },
    enabled: isAsked,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  return useMemo(() => {
    const itemOf = ({ name, region, lat, lon }: Address): PaletteItem => ({
      id: `${ADDRESS}${lat},${lon}`,
      group: 'places',
      Icon: IconMapPin,
      title: name,
      subtitle: region,
      keywords: '',
      once: true,
      run: () => {
        askForPlace({ name, lat, lon }, ADDRESS_ZOOM);
        void navigate(paths.dashboard());
      },
    });
    const silent: PaletteItem = {
      ...{ id: 'no-addresses', group: 'places', Icon: IconMapPinOff, title: t('addressesAway') },
      ...{ subtitle: t('addressesAwayText'), keywords: '', once: true, run: () => {} },
    };
    if (!isAsked || !data) return [];
    return data.service === 'unavailable' ? [silent] : data.addresses.map(itemOf);
  }, [data, isAsked, navigate, t]);
}

function useLater(value: string, ms: number): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return later;
}
