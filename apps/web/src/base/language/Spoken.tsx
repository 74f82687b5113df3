import { Fragment, type ReactNode } from 'react';
import { useLanguage } from './language.ts';

/**
 * Remounts its children when the language changes, because formatted values would otherwise stay in the old language.
 */
export function Spoken({ children }: { readonly children: ReactNode }) {
  const language = useLanguage(state => state.language);
  return <Fragment key={language}>{children}</Fragment>;
}
