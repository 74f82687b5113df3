import { markOnRail, railOf, railOnOf, type Scheme, tonesOf } from './tones.ts';

/** The three colors that a tenant chooses [R3.07]. */
export interface BrandColours {
  readonly primaryColour: string;
  readonly secondaryColour: string;
  readonly activeColour: string;
}

/** The tokens of tokens.css that follow the tenant's colors, for one color scheme. */
export function brandTokens(colours: BrandColours, scheme: Scheme): Readonly<Record<string, string>> {
  const { primaryColour, secondaryColour, activeColour } = colours;
  const accent = tonesOf(activeColour, scheme);
  const second = tonesOf(secondaryColour, scheme);
  const rail = railOf(primaryColour, scheme);
  return {
    '--seed-primary': primaryColour,
    '--seed-secondary': secondaryColour,
    '--seed-active': activeColour,
    '--rail': rail,
    '--rail-on-bg': railOnOf(rail),
    '--rail-mark': markOnRail(secondaryColour, rail),
    '--fill': accent.fill,
    '--fill-ink': accent.fillInk,
    '--fill-hover': accent.fillHover,
    '--accent': accent.text,
    '--accent-ink': accent.textInk,
    '--accent-soft': accent.soft,
    '--accent-line': accent.line,
    '--focus': accent.text,
    '--brand2': second.text,
    '--brand2-mark': second.mark,
    '--brand2-soft': second.soft,
  };
}

const block = (selector: string, tokens: Readonly<Record<string, string>>): string =>
  `${selector}{${Object.entries(tokens)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`;

/** A style sheet that overrides tokens.css with the tenant's colors. */
export function brandSheet(colours: BrandColours): string {
  return [
    block(':root', brandTokens(colours, 'light')),
    block('[data-color-scheme="dark"]', brandTokens(colours, 'dark')),
  ].join('\n');
}
