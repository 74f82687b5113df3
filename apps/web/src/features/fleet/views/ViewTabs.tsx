import { may, type SavedView } from '@milepost/contract';
import { IconDots, IconPlus, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../base/chunks/lazy-part.tsx';
import { describeError } from '../../../base/describe-error.ts';
import { useSession } from '../../../base/session/session.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { Button } from '../../../ui/Button.tsx';
import hidden from '../../../ui/hidden.module.css';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { queryOf, viewOf } from '../state/fleet-url.ts';
import type { FleetState } from '../state/use-fleet-view.ts';
import { changeView, keepView, putInOrder, removeView, useViews } from './use-views.ts';
import styles from './ViewTabs.module.css';

const ViewDialog = lazyPart(async () => (await import('./ViewDialog.tsx')).ViewDialog);

/** Saved views as tabs. The open one says if it was changed and has a button to save the change. */
export function ViewTabs({ state }: { readonly state: FleetState }) {
  const { t } = useTranslation('fleet');
  const me = useSession(session => session.me);
  const { views } = useViews();
  const [dialog, setDialog] = useState<{ readonly view: SavedView | null } | null>(null);
  const query = queryOf(state.view);
  const current = views.find(({ id }) => id === state.viewId);
  const isChanged = current !== undefined && queryOf(viewOf(new URLSearchParams(current.query))) !== query;
  const isAll = current === undefined && query === '';
  const mayKeep = me !== null && may(me, 'profile.write');
  const mayChange = (view: SavedView) => mayKeep && (!view.shared || may(me, 'views.share'));
  const trying = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => toast(describeError(error).message, 'error'));
  };

  function move(view: SavedView, step: 1 | -1): void {
    const ids = views.map(({ id }) => id);
    const at = ids.indexOf(view.id);
    trying(putInOrder(ids.toSpliced(at, 1).toSpliced(at + step, 0, view.id)));
  }

  async function remove(view: SavedView): Promise<void> {
    await removeView(view.id);
    state.keepAs(null);
    toast(t('views.deleted', { name: view.name }), 'info', {
      label: t('views.undo'),
      run: () => trying(keepView(view.name, view.query, view.shared).then(({ id }) => state.keepAs(id))),
    });
  }

  return (
    <nav className={styles.views} aria-label={t('views.label')}>
      <ul>
        <li>
          <button type="button" aria-current={isAll || undefined} onClick={() => state.open('', null)}>
            {t('views.all')}
          </button>
        </li>
        {views.map((view, at) => {
          const isOpen = view === current;
          return (
            <li key={view.id}>
              <button
                type="button"
                aria-current={isOpen || undefined}
                onClick={() => state.open(view.query, view.id)}
                onDoubleClick={() => mayChange(view) && setDialog({ view })}
              >
                {view.name}
                {view.shared && <IconUsers size={13} stroke={1.75} aria-hidden />}
                {view.shared && <span className={hidden.hidden}>, {t('views.isShared')}</span>}
                {isOpen && isChanged && <span className={styles.changed} aria-hidden="true" />}
                {isOpen && isChanged && <span className={hidden.hidden}>, {t('views.changed')}</span>}
              </button>
              {isOpen && mayKeep && (
                <Menu
                  trigger={props => (
                    <IconButton {...props} label={t('views.menu', { name: view.name })} tooltip="bottom">
                      <IconDots size={16} stroke={1.75} aria-hidden />
                    </IconButton>
                  )}
                >
                  {mayChange(view) && <MenuItem onClick={() => setDialog({ view })}>{t('views.rename')}</MenuItem>}
                  {mayChange(view) && may(me, 'views.share') && (
                    <MenuItem onClick={() => trying(changeView(view.id, { shared: !view.shared }))}>
                      {t(view.shared ? 'views.unshare' : 'views.share')}
                    </MenuItem>
                  )}
                  {at > 0 && <MenuItem onClick={() => move(view, -1)}>{t('views.earlier')}</MenuItem>}
                  {at < views.length - 1 && <MenuItem onClick={() => move(view, 1)}>{t('views.later')}</MenuItem>}
                  {mayChange(view) && <MenuItem onClick={() => trying(remove(view))}>{t('views.delete')}</MenuItem>}
                </Menu>
              )}
            </li>
          );
        })}
      </ul>
      {mayKeep && current && isChanged && mayChange(current) && (
        <Button onClick={() => trying(changeView(current.id, { query }))}>{t('views.saveChanges')}</Button>
      )}
      {mayKeep && (
        <IconButton label={t('views.new')} onClick={() => setDialog({ view: null })}>
          <IconPlus size={16} stroke={1.75} aria-hidden />
        </IconButton>
      )}
      {dialog && (
        <ViewDialog
          view={dialog.view}
          query={query}
          onClose={() => setDialog(null)}
          onKept={({ id }) => dialog.view === null && state.keepAs(id)}
        />
      )}
    </nav>
  );
}
