import { IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameCollator } from '../../format/locale.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { groupOptions } from '../../organisation/use-group-list.ts';
import { useGroups } from '../../organisation/use-groups.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { ChoiceList } from '../../ui/ChoiceList.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import styles from './Filters.module.css';
import type { ReportAddress } from './report-url.ts';

type Chosen = Pick<ReportAddress, 'vehicles' | 'folders'>;

interface Props {
  readonly chosen: Chosen;
  readonly onChange: (chosen: Chosen) => void;
}

const NOBODY: readonly never[] = [];
/** Others are found by typing. */
const SHOWN = 200;

/** The folders and vehicles to choose from, and the chosen ones in words. */
export function useWho(chosen: Chosen) {
  const { t } = useTranslation('reports');
  const { data: vehicles = [] } = useQuery(vehicleListQuery);
  const { nodes } = useGroups('folder', NOBODY);
  const lists = useMemo(
    () => ({
      folders: groupOptions(nodes ?? NOBODY),
      vehicles: vehicles
        .map(({ id, deviceName }) => ({ value: id, label: deviceName }))
        .toSorted((a, b) => nameCollator().compare(a.label, b.label)),
    }),
    [nodes, vehicles],
  );
  const names = (['folders', 'vehicles'] as const).flatMap(kind =>
    lists[kind].filter(({ value }) => chosen[kind].includes(value)).map(({ label }) => label),
  );
  const count = chosen.folders.length + chosen.vehicles.length;
  const [first = t('who.count', { count }), ...others] = names;
  const words =
    count === 0 ? t('who.all') : others.length === 0 ? first : t('who.more', { first, count: others.length });
  return { lists, words, count };
}

/** Chooses vehicles: all, or folders and single vehicles. */
export function Who({ chosen, onChange }: Props) {
  const { t } = useTranslation('reports');
  const { lists, words: shown, count } = useWho(chosen);
  const [search, setSearch] = useState('');
  const words = search.trim().toLocaleLowerCase();
  const toggle = (kind: 'folders' | 'vehicles', id: string, on: boolean): void =>
    onChange({ ...chosen, [kind]: on ? [...chosen[kind], id] : chosen[kind].filter(other => other !== id) });
  return (
    <div className={styles.field}>
      <span id="report-who">{t('who.title')}</span>
      <Popover
        label={t('who.title')}
        trigger={props => (
          <button type="button" {...props} className={styles.who} aria-describedby="report-who">
            <span>{shown}</span>
            <IconChevronDown size={16} stroke={1.75} aria-hidden />
          </button>
        )}
      >
        <div className={styles.chooser}>
          <SearchBox
            value={search}
            onSearch={setSearch}
            label={t('who.search')}
            placeholder={t('who.search')}
            clearLabel={t('clearSearch')}
          />
          {(['folders', 'vehicles'] as const).map(kind => {
            const found = lists[kind].filter(({ label }) => label.toLocaleLowerCase().includes(words));
            return (
              found.length > 0 && (
                <ChoiceList key={kind} title={t(`who.${kind}`)}>
                  {found.slice(0, SHOWN).map(({ value, label }) => (
                    <Checkbox
                      key={value}
                      checked={chosen[kind].includes(value)}
                      onChange={event => toggle(kind, value, event.currentTarget.checked)}
                    >
                      {label}
                    </Checkbox>
                  ))}
                  {found.length > SHOWN && <p>{t('who.typeMore', { count: found.length - SHOWN })}</p>}
                </ChoiceList>
              )
            );
          })}
          {count > 0 && <Button onClick={() => onChange({ vehicles: [], folders: [] })}>{t('who.chooseAll')}</Button>}
        </div>
      </Popover>
    </div>
  );
}
