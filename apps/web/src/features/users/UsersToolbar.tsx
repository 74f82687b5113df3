import { listRoles, type User } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../base/api.ts';
import { useChoices } from '../../people/ScopeField.tsx';
import { type Filter, Toolbar } from '../../registry/Toolbar.tsx';
import type { Registry } from '../../registry/use-registry.ts';
import { Segments } from '../../ui/Segments.tsx';
import { SHOWN_STATES, type ShownState, shownState } from './describe-user.ts';

/** The states that are a view of their own, after the view of all users. */
const VIEWS = ['invited', 'ending', 'deactivated'] as const satisfies readonly ShownState[];
type View = 'all' | (typeof VIEWS)[number];

interface Props {
  readonly registry: Registry;
  /** Undefined until loaded. */
  readonly users: readonly User[] | undefined;
  readonly searchRef: Ref<HTMLInputElement>;
  readonly nowMs: number;
}

export const useRoles = () => useQuery({ queryKey: ['roles'], queryFn: () => call(listRoles) });

export function UsersToolbar({ registry, users, searchRef, nowMs }: Props) {
  const { t } = useTranslation(['users', 'shell']);
  const roles = useRoles().data ?? [];
  const choices = useChoices();
  const { filters } = registry;
  const [only, ...others] = filters.state ?? [];
  const chosen: View = VIEWS.find(view => view === only && others.length === 0) ?? 'all';
  const count = (view: View) => users?.filter(user => view === 'all' || shownState(user, nowMs) === view).length;

  const all: readonly Filter[] = [
    {
      id: 'role',
      label: t('columns.role'),
      options: roles.map(({ id, name, builtIn, basedOn }) => ({
        value: id,
        label: builtIn ? t(`shell:role.${basedOn}`) : name,
      })),
    },
    {
      id: 'scope',
      label: t('columns.scope'),
      options: [
        { value: 'everything', label: t('everything') },
        ...choices.map(({ kind, id, name }) => ({
          value: `${kind === 'folderIds' ? 'folder' : 'department'}-${id}`,
          label: name,
        })),
      ],
    },
    {
      id: 'factor',
      label: t('columns.factor'),
      options: (['off', 'code-app', 'passkey'] as const).map(value => ({ value, label: t(`factor.${value}`) })),
    },
    { id: 'seen', label: t('columns.seen'), options: [{ value: 'never', label: t('neverSignedIn') }] },
    {
      id: 'state',
      label: t('columns.state'),
      options: SHOWN_STATES.map(value => ({ value, label: t(`stateName.${value}`) })),
    },
  ];
  return (
    <Toolbar
      registry={registry}
      searchHint={t('searchHint')}
      searchRef={searchRef}
      filters={all}
      views={
        <Segments
          label={t('views.label')}
          segments={(['all', ...VIEWS] as const).map(id => ({
            id,
            label: t(`views.${id}`),
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
