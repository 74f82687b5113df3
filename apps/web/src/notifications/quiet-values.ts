/** Quiet hours as the fields of a form hold them. */
export interface QuietValues {
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly criticalBreaks: boolean;
}

interface QuietHours {
  readonly quietFrom: string | null;
  readonly quietTo: string | null;
  readonly criticalBreaks: boolean;
}

/** Suggested when somebody wants some: a night. */
const NIGHT = { quietFrom: '22:00', quietTo: '06:00' };

export const quietValues = ({ quietFrom, quietTo, criticalBreaks }: QuietHours): QuietValues => ({
  quietFrom: quietFrom ?? NIGHT.quietFrom,
  quietTo: quietTo ?? NIGHT.quietTo,
  criticalBreaks,
});

/** What is sent; without quiet hours their times are of no account. */
export const quietBody = ({ quietFrom, quietTo, criticalBreaks }: QuietValues, on: boolean): QuietHours =>
  on ? { quietFrom, quietTo, criticalBreaks } : { quietFrom: null, quietTo: null, criticalBreaks };
