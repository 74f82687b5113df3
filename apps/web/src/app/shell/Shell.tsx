import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet, useNavigate } from 'react-router';
import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { Part } from '../../base/chunks/Part.tsx';
import { useNavigation } from '../../base/navigation.ts';
import { ShellSlotContext } from '../../base/ShellSlot.tsx';
import { useSession } from '../../base/session/session.ts';
import { createKeyReader } from '../../base/shortcuts/shortcuts.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { IosTip } from '../install/IosTip.tsx';
import { acceptOffer, useInstall } from '../install/install.ts';
import { PaletteHost } from '../palette/lazy.ts';
import { openPalette, usePalette } from '../palette/open.ts';
import { BottomBar } from './BottomBar.tsx';
import { Header } from './Header.tsx';
import styles from './Shell.module.css';
import { useWideParts } from './wide-parts.ts';

// Rarely shown, so they aren't loaded with the first page.
const DemoBanner = lazyChunk(async () => (await import('../demo/DemoBanner.tsx')).DemoBanner);
const AccountSheet = lazyChunk(async () => (await import('./AccountSheet.tsx')).AccountSheet);
const ShortcutsDialog = lazyChunk(
  async () => (await import('../../base/shortcuts/ShortcutsDialog.tsx')).ShortcutsDialog,
);
const InstallDialog = lazyChunk(async () => (await import('../install/InstallDialog.tsx')).InstallDialog);

/** The frame around every page of a signed-in user: skip links, rail or bottom bar, header. */
export function Shell() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  const places = useNavigation();
  const isVisitor = useSession(({ me }) => me?.readOnly === true && me.account.demo);
  const [skipLinks, setSkipLinks] = useState<HTMLElement | null>(null);
  const [search, setSearch] = useState<HTMLElement | null>(null);
  const [opened, setOpened] = useState<'shortcuts' | 'account' | 'install' | null>(null);
  const slots = useMemo(() => ({ 'skip-links': skipLinks, search }), [skipLinks, search]);
  const searches = usePalette(state => state.open);
  const [hasSearched, setSearched] = useState(false);
  if (searches && !hasSearched) setSearched(true);
  const [hadAccount, setHadAccount] = useState(false);
  if (opened === 'account' && !hadAccount) setHadAccount(true);
  const wide = useWideParts();
  const close = () => setOpened(null);
  const showShortcuts = useCallback(() => setOpened('shortcuts'), []);
  const install = useCallback(() => {
    if (useInstall.getState().offer) void acceptOffer();
    else setOpened('install');
  }, []);

  useEffect(() => {
    const read = createKeyReader();
    window.addEventListener('keydown', read);
    return () => window.removeEventListener('keydown', read);
  }, []);

  useShortcuts([
    { keys: ['/'], label: t('shortcuts.search'), group: t('shortcuts.everywhere'), run: openPalette },
    { keys: ['mod+k'], label: t('shortcuts.search'), group: t('shortcuts.everywhere'), run: openPalette },
    ...places.map(({ key, path, chord }) => ({
      keys: chord,
      label: t('shortcuts.goTo', { page: t(`nav.${key}`) }),
      group: t('shortcuts.everywhere'),
      run: () => void navigate(path),
    })),
    {
      keys: ['?'],
      label: t('shortcuts.showHelp'),
      group: t('shortcuts.everywhere'),
      run: showShortcuts,
    },
  ]);

  return (
    <ShellSlotContext value={slots}>
      <Part>{isVisitor && <DemoBanner />}</Part>
      <div className={styles.shell}>
        <nav className={styles.skip} aria-label={t('skipLinks')}>
          <a href="#main">{t('skipToContent')}</a>
          <span className={styles.skipMore} ref={setSkipLinks} />
        </nav>
        <div className={styles.rail}>{wide && <wide.Rail />}</div>
        <Header
          searchPlace={setSearch}
          onShortcuts={showShortcuts}
          onInstall={install}
          onAccount={() => setOpened('account')}
        />
        <main id="main" className={styles.main} tabIndex={-1}>
          <Outlet />
        </main>
        <div className={styles.bar}>
          <BottomBar onMore={() => setOpened('account')} />
        </div>
      </div>
      {/* Stays mounted after it was first opened, so that it can return the focus when it closes, before the next
          dialog opens. */}
      <Part>{hadAccount && <AccountSheet open={opened === 'account'} onClose={close} onInstall={install} />}</Part>
      <IosTip />
      <Part>
        {/* Stays mounted after the first search, because dialogs opened from it stay open when it closes. */}
        {hasSearched && <PaletteHost onShortcuts={showShortcuts} onInstall={install} />}
        {opened === 'shortcuts' && <ShortcutsDialog open onClose={close} />}
        {opened === 'install' && <InstallDialog open onClose={close} />}
      </Part>
    </ShellSlotContext>
  );
}
