import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/Dialog.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import styles from './ShortcutsDialog.module.css';
import { ShortcutsSwitch } from './ShortcutsSwitch.tsx';
import { useShortcutRegistry } from './shortcuts.ts';

export function ShortcutsDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation('shell');
  const shortcuts = useShortcutRegistry(state => state.shortcuts);
  const groups = Map.groupBy(shortcuts, shortcut => shortcut.group);
  return (
    <Dialog open={open} onClose={onClose} title={t('shortcuts.title')} closeLabel={t('close')}>
      {[...groups].map(([group, list]) => (
        <section key={group} className={styles.group}>
          <h3>{group}</h3>
          <dl className={styles.list}>
            {list.map(({ keys, label }) => (
              <Fragment key={keys.join(' ')}>
                <dt>{label}</dt>
                <dd>
                  {keys.map((key, index) => (
                    <Fragment key={key}>
                      {index > 0 && <span className={styles.then}>{t('shortcuts.then')}</span>}
                      <KeyCap name={key} />
                    </Fragment>
                  ))}
                </dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
      <div className={styles.switch}>
        <ShortcutsSwitch />
      </div>
    </Dialog>
  );
}
