import { IconDownload } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { ColumnChooser } from '../columns/ColumnChooser.tsx';
import type { ChosenColumn } from '../columns/column-ids.ts';
import { FilterBox } from '../filter/FilterBox.tsx';
import type { FilterChoices } from '../filter/FilterMenu.tsx';
import { LAYOUTS } from '../state/fleet-url.ts';
import type { FleetState } from '../state/use-fleet-view.ts';
import { ViewTabs } from '../views/ViewTabs.tsx';
import styles from './FleetControls.module.css';
import { GroupMenu } from './GroupMenu.tsx';
import { PeriodMenu } from './PeriodMenu.tsx';

export interface ControlsProps {
  readonly state: FleetState;
  readonly choices: FilterChoices;
  readonly searchRef: Ref<HTMLInputElement>;
  /** The line with the totals. */
  readonly totals: ReactNode;
  /** Null: there is nothing to export. */
  readonly onExport: (() => void) | null;
  /** The user may see figures of other days. */
  readonly mayChoosePeriod: boolean;
}

/** Above the list: saved views and layouts, then filters. */
export function FleetControls({
  state,
  choices,
  searchRef,
  totals,
  onExport,
  mayChoosePeriod,
  columns,
}: ControlsProps & { readonly columns: readonly ChosenColumn[] }) {
  const { t } = useTranslation('fleet');
  const { view, change } = state;
  return (
    <>
      <header className={styles.head}>
        <h1>{t('title')}</h1>
        <ViewTabs state={state} />
        <div className={styles.end}>
          <LayoutChoice state={state} />
          {view.layout === 'table' && (
            <ColumnChooser
              columns={columns}
              isDefault={view.columns === null}
              onColumns={next => change({ columns: next })}
            />
          )}
          <ExportButton onExport={onExport} />
        </div>
      </header>
      <div className={styles.bar}>
        <FilterBox state={state} choices={choices} searchRef={searchRef} />
        {view.layout === 'table' && <GroupMenu state={state} />}
        {mayChoosePeriod && <PeriodMenu state={state} />}
        <p className={styles.totals}>{totals}</p>
      </div>
    </>
  );
}

export function LayoutChoice({ state: { view, change } }: Pick<ControlsProps, 'state'>) {
  const { t } = useTranslation('fleet');
  return (
    <Segments
      label={t('layout.label')}
      segments={LAYOUTS.map(id => ({ id, label: t(`layout.${id}`) }))}
      chosen={view.layout}
      onChoose={layout => change({ layout })}
    />
  );
}

export function ExportButton({ onExport }: Pick<ControlsProps, 'onExport'>) {
  const { t } = useTranslation('fleet');
  return (
    <Button
      icon={<IconDownload size={17} stroke={1.75} aria-hidden />}
      disabled={onExport === null}
      onClick={() => onExport?.()}
    >
      {t('export.action')}
    </Button>
  );
}
