import { SHARE_STATES, type Share } from '@milepost/contract';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { nameCollator } from '../../format/locale.ts';
import { Toolbar } from '../../registry/Toolbar.tsx';
import type { Registry } from '../../registry/use-registry.ts';
import { Segments } from '../../ui/Segments.tsx';

type View = 'all' | Share['state'];

interface Props {
  readonly registry: Registry;
  /** Undefined until loaded. */
  readonly shares: readonly Share[] | undefined;
  readonly searchRef: Ref<HTMLInputElement>;
}

export function LinksToolbar({ registry, shares, searchRef }: Props) {
  const { t } = useTranslation(['shareLinks', 'sharing']);
  const { filters } = registry;
  const [only, ...others] = filters.state ?? [];
  const chosen: View = SHARE_STATES.find(state => state === only && others.length === 0) ?? 'all';
  const count = (view: View) => shares?.filter(({ state }) => view === 'all' || view === state).length;
  const makers = [...new Map(shares?.map(({ createdBy }) => [createdBy.id, createdBy.name]))];
  return (
    <Toolbar
      registry={registry}
      searchHint={t('searchHint')}
      searchRef={searchRef}
      filters={[
        {
          id: 'by',
          label: t('columns.by'),
          options: makers
            .map(([value, label]) => ({ value, label }))
            .toSorted((a, b) => nameCollator().compare(a.label, b.label)),
        },
        {
          id: 'state',
          label: t('columns.state'),
          options: SHARE_STATES.map(value => ({ value, label: t(`sharing:state.${value}`) })),
        },
      ]}
      views={
        <Segments
          label={t('views.label')}
          segments={(['all', 'open', 'planned', 'ended', 'revoked'] as const).map(id => ({
            id,
            label: id === 'all' ? t('views.all') : t(`sharing:state.${id}`),
            count: count(id),
          }))}
          chosen={chosen}
          onChoose={view => {
            const { state: _, ...rest } = filters;
            registry.filterBy(view === 'all' ? rest : { ...rest, state: [view] });
          }}
        />
      }
    />
  );
}
