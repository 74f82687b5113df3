import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import hidden from '../../../ui/hidden.module.css';
import { FilterSearch, FilterTokens } from '../filter/FilterBox.tsx';
import { FilterForm } from '../filter/FilterMenu.tsx';
import { ViewTabs } from '../views/ViewTabs.tsx';
import { type ControlsProps, ExportButton, LayoutChoice } from './FleetControls.tsx';
import { GroupMenu } from './GroupMenu.tsx';
import { PeriodMenu } from './PeriodMenu.tsx';
import styles from './PhoneControls.module.css';

interface Props extends ControlsProps {
  /** Name of the open saved view. */
  readonly viewName: string | undefined;
  /** How many vehicles are shown. */
  readonly shown: number;
}

/** On a phone: the search, and one button for everything else, which leaves the room for the list. */
export function PhoneControls({
  state,
  choices,
  searchRef,
  totals,
  onExport,
  mayChoosePeriod,
  viewName,
  shown,
}: Props) {
  const { t } = useTranslation(['fleet', 'registry', 'forms']);
  const [open, setOpen] = useState(false);
  const { view, change } = state;
  const { tokens } = view.search;
  const close = () => setOpen(false);
  return (
    <header className={styles.controls}>
      <h1 className={hidden.hidden}>{t('title')}</h1>
      <div className={styles.line}>
        <FilterSearch state={state} searchRef={searchRef} />
        <Button
          size="large"
          className={styles.button}
          icon={<IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          {t('registry:filter')}
          {tokens.length > 0 && (
            <>
              <span className={styles.count} aria-hidden="true">
                {tokens.length}
              </span>
              <span className={hidden.hidden}>, {t('filter.active', { count: tokens.length })}</span>
            </>
          )}
        </Button>
      </div>
      <p className={styles.totals}>
        {viewName !== undefined && <b>{viewName} · </b>}
        {totals}
      </p>
      <Dialog open={open} onClose={close} title={t('filter.sheet')} closeLabel={t('forms:close')}>
        <div className={styles.sheet}>
          <ViewTabs state={state} />
          <div className={styles.row}>
            <LayoutChoice state={state} />
            {view.layout === 'table' && <GroupMenu state={state} />}
            {mayChoosePeriod && <PeriodMenu state={state} />}
          </div>
          {tokens.length > 0 && (
            <div className={styles.row}>
              <FilterTokens state={state} />
            </div>
          )}
          <FilterForm search={view.search} onSearch={search => change({ search })} choices={choices} />
          <footer className={styles.foot}>
            <ExportButton onExport={onExport} />
            <Button variant="primary" onClick={close}>
              {t('filter.show', { count: shown })}
            </Button>
          </footer>
        </div>
      </Dialog>
    </header>
  );
}
