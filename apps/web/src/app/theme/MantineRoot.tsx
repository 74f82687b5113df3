import '@mantine/core/styles/default-css-variables.css';
import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  MantineProvider,
  mergeMantineTheme,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { useColorScheme } from '../appearance.ts';
import { cssVariablesResolver, theme } from './theme.ts';

adoptThemeVariables();

/**
 * Stands around the parts that are made of Mantine, in their own chunks, so that the first page does not carry it. The
 * style sheets of the components in use are imported beside them.
 */
export function MantineRoot({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      forceColorScheme={useColorScheme()}
      // The page's attribute is ours (app/appearance.ts).
      getRootElement={() => undefined}
      // Both would be <style> elements, which the content security policy refuses; see below.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  );
}

/** Writes Mantine's variables through a constructed style sheet, which `style-src 'self'` allows. */
function adoptThemeVariables(): void {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const defaults = defaultCssVariablesResolver(merged);
  const own = cssVariablesResolver(merged);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    convertCssVariables({
      variables: { ...defaults.variables, ...own.variables },
      light: { ...defaults.light, ...own.light },
      dark: { ...defaults.dark, ...own.dark },
    }),
  );
  document.adoptedStyleSheets.push(sheet);
}
