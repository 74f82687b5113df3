import { may, type Share } from '@milepost/contract';
import { IconDots, IconFilter, IconInfoCircle, IconLinkOff } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { describeError } from '../../base/describe-error.ts';
import { useSession } from '../../base/session/session.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { formatClock } from '../../format/time.ts';
import { useMinute } from '../../live/view.ts';
import { paths } from '../../paths.ts';
import { RegistryPage } from '../../registry/RegistryPage.tsx';
import { RegistryState } from '../../registry/RegistryState.tsx';
import { RegistryTable } from '../../registry/RegistryTable.tsx';
import { useRegistry } from '../../registry/use-registry.ts';
import { isOver, TONE_OF_STATE, useShareWords } from '../../sharing/links/share-words.ts';
import { useShares } from '../../sharing/use-shares.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Chip } from '../../ui/Chip.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { EndAllDialog, type Maker } from './EndAllDialog.tsx';
import { LinkDrawer } from './LinkDrawer.tsx';
import { LinksToolbar } from './LinksToolbar.tsx';
import { useLinkColumns } from './link-columns.tsx';
import { LINK_FILTERS, matchesLink } from './link-filter.ts';
import styles from './ShareLinksPage.module.css';

const NONE: readonly Share[] = [];
const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/**
 * `/share-links`: every link that shows vehicles to others: who created it, who views it, when it ends, and a button to
 * end it.
 */
export function Component() {
  const { t } = useTranslation(['shareLinks', 'sharing', 'registry', 'shell']);
  const me = useSession(session => session.me);
  const mayEnd = me !== null && may(me, 'shares.write');
  const { data: shares, error, refetch, dataUpdatedAt } = useShares();
  const registry = useRegistry(LINK_FILTERS);
  const minute = useMinute();
  const columns = useLinkColumns(minute);
  const { titleOf } = useShareWords();
  const [ending, setEnding] = useState<Maker | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const { query, filters } = registry;
  const rows = useMemo(
    () => (shares ?? NONE).filter(share => matchesLink(share, { query, filters })),
    [shares, query, filters],
  );
  const opened = shares?.find(({ id }) => id === registry.open) ?? null;
  useShortcuts([{ keys: ['f'], label: t('search'), group: t('title'), run: () => search.current?.focus() }]);

  const makerOf = ({ createdBy }: Share): Maker => ({
    ...createdBy,
    count: (shares ?? NONE).filter(share => share.createdBy.id === createdBy.id && !isOver(share)).length,
  });
  const onlyBy = filters.by?.length === 1 ? shares?.find(({ createdBy }) => createdBy.id === filters.by?.[0]) : null;
  const filtered = onlyBy ? makerOf(onlyBy) : null;
  const toFleet = (
    <Link to={paths.fleet()} className={buttonLook({ variant: 'primary' })}>
      {t('toFleet')}
    </Link>
  );

  return (
    <>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      <RegistryPage
        title={t('title')}
        count={shares && t('count', { count: shares.length })}
        actions={
          mayEnd &&
          filtered !== null &&
          filtered.count > 0 && (
            <Button icon={<IconLinkOff {...ICON} />} onClick={() => setEnding(filtered)}>
              {t('endAll', { ...filtered })}
            </Button>
          )
        }
        toolbar={<LinksToolbar registry={registry} shares={shares} searchRef={search} />}
        below={me !== null && !may(me, 'shares.read') && <p className={styles.own}>{t('own')}</p>}
        inspector={opened && <LinkDrawer share={opened} nowMs={minute} onClose={() => registry.openRow(null)} />}
      >
        {error && shares && (
          <Notice tone="warning">
            {t('stale', { message: describeError(error).message, time: formatClock(dataUpdatedAt) })}
          </Notice>
        )}
        {rows.length === 0 ? (
          <RegistryState
            total={shares?.length}
            error={error}
            onRetry={() => void refetch()}
            onClear={registry.clear}
            empty={{ title: t('none'), text: t('noneText'), action: toFleet }}
          />
        ) : (
          <RegistryTable
            label={t('title')}
            rows={rows}
            columns={columns}
            idOf={({ id }) => id}
            nameOf={titleOf}
            sort={registry.sort ?? { column: 'state', descending: false }}
            onSort={registry.sortBy}
            open={registry.open}
            onOpen={registry.openRow}
            card={share => <Card share={share} nowMs={minute} />}
            menu={share => {
              const maker = makerOf(share);
              return (
                <Menu
                  trigger={props => (
                    <IconButton {...props} label={t('registry:actionsFor', { name: titleOf(share) })} tooltip="none">
                      <IconDots size={18} stroke={1.75} aria-hidden />
                    </IconButton>
                  )}
                >
                  <MenuItem icon={<IconInfoCircle {...ICON} />} onClick={() => registry.openRow(share.id)}>
                    {t('details')}
                  </MenuItem>
                  <MenuItem
                    icon={<IconFilter {...ICON} />}
                    onClick={() => registry.filterBy({ ...filters, by: [maker.id] })}
                  >
                    {t('filterBy', { name: maker.name })}
                  </MenuItem>
                  {mayEnd && maker.count > 0 && (
                    <MenuItem icon={<IconLinkOff {...ICON} />} onClick={() => setEnding(maker)}>
                      {t('endAll', { ...maker })}
                    </MenuItem>
                  )}
                </Menu>
              );
            }}
          />
        )}
      </RegistryPage>
      {ending && <EndAllDialog maker={ending} onClose={() => setEnding(null)} />}
    </>
  );
}

/** What a phone shows below a link's name. */
function Card({ share, nowMs }: { readonly share: Share; readonly nowMs: number }) {
  const { t } = useTranslation('sharing');
  const { windowOf } = useShareWords();
  return (
    <>
      <Chip tone={TONE_OF_STATE[share.state]}>{t(`state.${share.state}`)}</Chip>
      {[windowOf(share, nowMs), share.createdBy.name].join(' · ')}
    </>
  );
}
