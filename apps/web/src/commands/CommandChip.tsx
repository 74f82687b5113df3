import type { Command } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Chip } from '../ui/Chip.tsx';
import { commandWord, WORD_TONES } from './command-state.ts';

/** A chip with the command's state. */
export function CommandChip({ command }: { readonly command: Command }) {
  const { t } = useTranslation('commands');
  const word = commandWord(command);
  return <Chip tone={WORD_TONES[word]}>{t(`state.${word}`)}</Chip>;
}
