import { useTranslation } from 'react-i18next';
import { Switch } from '../../ui/Switch.tsx';
import { setShortcutsEnabled, useShortcutRegistry } from './shortcuts.ts';

/** Turns single-key shortcuts off and on (WCAG 2.2, 2.1.4). */
export function ShortcutsSwitch() {
  const { t } = useTranslation('shell');
  const enabled = useShortcutRegistry(state => state.enabled);
  return (
    <Switch
      checked={enabled}
      hint={t('shortcuts.enabledHint')}
      onChange={event => setShortcutsEnabled(event.currentTarget.checked)}
    >
      {t('shortcuts.enabled')}
    </Switch>
  );
}
