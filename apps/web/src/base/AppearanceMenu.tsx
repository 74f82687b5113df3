import { IconBrightnessHalf } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../ui/IconButton.tsx';
import { Menu, MenuItem } from '../ui/Menu.tsx';
import { APPEARANCES, setAppearance, useAppearance } from './appearance.ts';

/** Automatic, light or dark [R4.18]. */
export function AppearanceMenu({ bordered = false }: { readonly bordered?: boolean }) {
  const { t } = useTranslation('shell');
  const appearance = useAppearance(state => state.appearance);
  return (
    <Menu
      trigger={props => (
        <IconButton
          {...props}
          label={t('appearance.button', { choice: t(`appearance.${appearance}`) })}
          bordered={bordered}
          tooltip="bottom-end"
        >
          <IconBrightnessHalf size={18} stroke={1.75} aria-hidden />
        </IconButton>
      )}
    >
      {APPEARANCES.map(choice => (
        <MenuItem key={choice} checked={appearance === choice} onClick={() => setAppearance(choice)}>
          {t(`appearance.${choice}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
