import type { LogSettings } from '@milepost/contract';

/** Values of the form's fields; an empty text means the carrier's setting. */
export interface SettingsValues {
  readonly keepsLog: boolean;
  readonly ruleSet: string;
  readonly terminalId: string;
  readonly personalUse: string;
  readonly yardMoves: string;
  readonly isExempt: boolean;
  readonly exemptReason: string;
}

const choice = (value: boolean | null): string => (value === null ? '' : value ? 'yes' : 'no');
const flag = (text: string): boolean | null => (text === '' ? null : text === 'yes');

export const valuesOf = (settings: LogSettings): SettingsValues => ({
  keepsLog: settings.keepsLog,
  ruleSet: settings.ruleSet ?? '',
  terminalId: settings.terminalId ?? '',
  personalUse: choice(settings.personalUse),
  yardMoves: choice(settings.yardMoves),
  isExempt: settings.isExempt,
  exemptReason: settings.exemptReason ?? '',
});

/** The settings from the form's fields, which the contract's schema then checks. */
export const settingsOf = (values: SettingsValues) => ({
  keepsLog: values.keepsLog,
  ruleSet: values.ruleSet === '' ? null : values.ruleSet,
  terminalId: values.terminalId === '' ? null : values.terminalId,
  personalUse: flag(values.personalUse),
  yardMoves: flag(values.yardMoves),
  isExempt: values.isExempt,
  exemptReason: values.exemptReason,
});
