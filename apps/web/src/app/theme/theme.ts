import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

/** Ten tones of the default tenant's active colour [R9.07]. The components draw with the tokens below; Mantine only asks for the ten. */
const ACCENT: MantineColorsTuple = [
  '#e3eef8',
  '#c9def0',
  '#a9cae6',
  '#8db7dc',
  '#5f9acb',
  '#2f7bb5',
  '#01579b',
  '#01467d',
  '#013a68',
  '#002e5c',
];

/** Ink on a filled control is a token: white on the light theme's blue, dark on the dark theme's. */
const variantColorResolver: VariantColorsResolver = input => {
  const colors = defaultVariantColorsResolver(input);
  const isAccent = input.color === undefined || input.color === 'accent';
  return input.variant === 'filled' && isAccent ? { ...colors, color: 'var(--fill-ink)' } : colors;
};

export const theme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '11px', sm: '12px', md: '13px', lg: '15px', xl: '18px' },
  lineHeights: { xs: '1.38', sm: '1.38', md: '1.38', lg: '1.38', xl: '1.2' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '3px', sm: '6px', md: '6px', lg: '10px', xl: '16px' },
  defaultRadius: 'md',
  shadows: { xs: 'var(--e1)', sm: 'var(--e1)', md: 'var(--e2)', lg: 'var(--e2)', xl: 'var(--e2)' },
  headings: { fontFamily: 'var(--font)', fontWeight: '700' },
  // 600, 1024, 1440 and 1920 px [R9.09]; in em, so that a larger text size gets the layout that fits it.
  breakpoints: { xs: '37.5em', sm: '64em', md: '90em', lg: '120em', xl: '160em' },
  colors: { accent: ACCENT },
  primaryColor: 'accent',
  primaryShade: 6,
  variantColorResolver,
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
});

const scheme = {
  '--mantine-color-body': 'var(--bg)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-3)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-error': 'var(--critical)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--surface-3)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--surface-3)',
  '--mantine-color-disabled-color': 'var(--ink-3)',
  '--mantine-color-disabled-border': 'var(--surface-3)',
  '--mantine-color-accent-text': 'var(--accent)',
  '--mantine-color-accent-filled': 'var(--fill)',
  '--mantine-color-accent-filled-hover': 'var(--fill-hover)',
  '--mantine-color-accent-light': 'var(--accent-soft)',
  '--mantine-color-accent-light-hover': 'var(--surface-3)',
  '--mantine-color-accent-light-color': 'var(--accent)',
  '--mantine-color-accent-outline': 'var(--accent)',
  '--mantine-color-accent-outline-hover': 'var(--accent-soft)',
};

/** Mantine's own variables, pointed at the tokens; both schemes alike, because the tokens change with the scheme. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: { '--mantine-primary-color-filled': 'var(--fill)' },
  light: scheme,
  dark: scheme,
});
