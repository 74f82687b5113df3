import { Fragment, type ReactNode } from 'react';
import { useLanguage } from './language.ts';

/** Everything anew in another language: what was formatted before would stay as it was. */
export function Spoken({ children }: { readonly children: ReactNode }) {
  const language = useLanguage(state => state.language);
  return <Fragment key={language}>{children}</Fragment>;
}
