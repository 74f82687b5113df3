import { IconFilter } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { paths } from '../../paths.ts';
import { describeToken } from '../../search-tokens/describe-token.ts';
import { formatSearch, parseSearch, type Search } from '../../search-tokens/search-text.ts';
import { FindIndex, type Hit } from './find.ts';
import { GROUPS, type Group, type PaletteItem } from './item.ts';
import { type ShellActions, useActions } from './items/use-actions.ts';
import { usePages } from './items/use-pages.ts';
import { usePeople } from './items/use-people.ts';
import { usePlaces } from './items/use-places.ts';
import { useAddresses, useTowns } from './items/use-towns.ts';
import { useVehicles, type VehicleItem } from './items/use-vehicles.ts';
import { useVehicleActions, type VehicleTask } from './items/vehicle-actions.ts';
import { readRecent } from './recent.ts';
import { readOrder, type Verb } from './verbs.ts';

/** Most results per group, so that the next group stays in view. Towns come after the fleet's own places. */
const SHOWN: Readonly<Record<Group, number>> = { filter: 1, vehicles: 6, people: 4, places: 4, pages: 4, actions: 6 };
const SHOWN_TOWNS = 3;
/** The ID of the vehicle action for each verb. */
const ACTION_OF: Readonly<Record<Verb, string>> = { cmd: 'cmd', share: 'share', follow: 'follow', track: 'follow' };

export interface Results {
  /** Groups that have results, in order. */
  readonly groups: readonly { readonly group: Group | 'recent'; readonly hits: readonly Hit<PaletteItem>[] }[];
}

const plain = (item: PaletteItem): Hit<PaletteItem> => ({ item, title: [], subtitle: [] });

/** Results from the loaded data and from the server's list of towns. */
export function useResults(query: string, shell: ShellActions, onTask: (task: VehicleTask) => void): Results {
  const { t } = useTranslation(['palette', 'commands']);
  const { t: tokenWords } = useTranslation(['searchTokens', 'vehicle']);
  const navigate = useNavigate();
  const system = useMeasureSystem();
  const vehicles = useVehicles();
  const people = usePeople();
  const places = usePlaces(vehicles);
  const towns = useTowns(query);
  const addresses = useAddresses(query);
  const pages = usePages();
  const actions = useActions(shell);
  const actionsOf = useVehicleActions(onTask);

  const indexes = useMemo(
    () => ({
      vehicles: new FindIndex<VehicleItem>(vehicles),
      people: new FindIndex(people),
      places: new FindIndex(places),
      towns: new FindIndex(towns),
      pages: new FindIndex(pages),
      actions: new FindIndex(actions),
    }),
    [vehicles, people, places, towns, pages, actions],
  );

  return useMemo(() => {
    if (query.trim() === '') {
      const known = new Map([vehicles, people, places, pages, actions].flat().map(item => [item.id, item]));
      const recent = readRecent().flatMap(id => known.get(id) ?? []);
      return shown({
        recent: recent.map(plain),
        pages: pages.filter(({ subtitle }) => subtitle === '').map(plain),
        actions: actions.slice(0, 3).map(plain),
      });
    }
    const order = readOrder(query, action => t(`commands:action.${action}`));
    if (order) {
      const found = indexes.vehicles.find(order.rest, SHOWN.vehicles);
      const wanted = ACTION_OF[order.verb];
      const ordered = found.flatMap(({ item }) =>
        actionsOf(item, order)
          .filter(({ id }) => id.startsWith(`${wanted}:`))
          .map(plain),
      );
      // If no vehicle matches, it may be the name of a page: "Share links".
      if (ordered.length > 0) return shown({ actions: ordered });
    }
    const search = parseSearch(query, system);
    if (search.tokens.length > 0) return shown({ filter: [plain(filterItem(search))] });
    const found = {
      vehicles: indexes.vehicles.find(query, SHOWN.vehicles),
      people: indexes.people.find(query, SHOWN.people),
      places: [
        ...indexes.places.find(query, SHOWN.places),
        ...indexes.towns.find(query, SHOWN_TOWNS),
        // The service has matched them: `main st` is Main Street.
        ...addresses.map(plain),
      ],
      pages: indexes.pages.find(query, SHOWN.pages),
      actions: indexes.actions.find(query, SHOWN.actions),
    };
    const [best] = found.vehicles;
    // Users who search for a vehicle may want to do something with it.
    const ofBest = best ? actionsOf(best.item).map(plain) : [];
    return shown({ ...found, actions: [...ofBest, ...found.actions].slice(0, SHOWN.actions) });

    function filterItem(asked: Search): PaletteItem {
      const text = formatSearch(asked);
      return {
        id: `filter:${text}`,
        group: 'filter',
        Icon: IconFilter,
        title: t('filter', { tokens: asked.tokens.map(token => describeToken(token, tokenWords)).join(' · ') }),
        subtitle: asked.words.join(' '),
        keywords: '',
        once: true,
        run: () => void navigate(paths.fleet(text)),
      };
    }
  }, [query, indexes, vehicles, people, places, addresses, pages, actions, actionsOf, system, navigate, t, tokenWords]);
}

function shown(found: Partial<Record<Group | 'recent', readonly Hit<PaletteItem>[]>>): Results {
  const order = ['recent', ...GROUPS] as const;
  return {
    groups: order.flatMap(group => ((found[group]?.length ?? 0) > 0 ? [{ group, hits: found[group] ?? [] }] : [])),
  };
}
