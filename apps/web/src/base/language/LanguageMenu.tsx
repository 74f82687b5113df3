import { LANGUAGES, type Language } from '@milepost/contract';
import { IconLanguage } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { describeError } from '../describe-error.ts';
import { toast } from '../toasts/toast.ts';
import { chooseLanguage, useLanguage } from './language.ts';
import { LANGUAGE_NAMES } from './names.ts';

/** Chooses the language of this device. Signed-in users can choose another in their profile. */
export function LanguageMenu({ bordered = false }: { readonly bordered?: boolean }) {
  const { t } = useTranslation('shell');
  const language = useLanguage(state => state.language);
  const choose = (choice: Language): void => {
    chooseLanguage(choice).catch((error: unknown) => toast(describeError(error).message, 'error'));
  };
  return (
    <Menu
      trigger={props => (
        <IconButton {...props} label={t('language')} bordered={bordered} tooltip="bottom-end">
          <IconLanguage size={18} stroke={1.75} aria-hidden />
        </IconButton>
      )}
    >
      {LANGUAGES.map(choice => (
        <MenuItem key={choice} checked={language === choice} onClick={() => choose(choice)}>
          <span lang={choice}>{LANGUAGE_NAMES[choice]}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
