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

/** The suggested quiet hours: a night. */
const NIGHT = { quietFrom: '22:00', quietTo: '06:00' };

export const quietValues = ({ quietFrom, quietTo, criticalBreaks }: QuietHours): QuietValues => ({
  quietFrom: quietFrom ?? NIGHT.quietFrom,
  quietTo: quietTo ?? NIGHT.quietTo,
  criticalBreaks,
});

/** The values to send; without quiet hours their times are ignored. */
export const quietBody = ({ quietFrom, quietTo, criticalBreaks }: QuietValues, on: boolean): QuietHours =>
  on ? { quietFrom, quietTo, criticalBreaks } : { quietFrom: null, quietTo: null, criticalBreaks };
