import { Fragment, type ReactNode } from 'react';
import { useLanguage } from './language.ts';

/** Renders everything again when the language changes; formatted values would otherwise keep the old one. */
export function Spoken({ children }: { readonly children: ReactNode }) {
  const language = useLanguage(state => state.language);
  return <Fragment key={language}>{children}</Fragment>;
}
