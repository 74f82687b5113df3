/** Form values for quiet hours. */
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

/** The suggested quiet hours. */
const NIGHT = { quietFrom: '22:00', quietTo: '06:00' };

export const quietValues = ({ quietFrom, quietTo, criticalBreaks }: QuietHours): QuietValues => ({
  quietFrom: quietFrom ?? NIGHT.quietFrom,
  quietTo: quietTo ?? NIGHT.quietTo,
  criticalBreaks,
});

/** The values to send. If quiet hours are off, their times are ignored. */
export const quietBody = ({ quietFrom, quietTo, criticalBreaks }: QuietValues, on: boolean): QuietHours =>
  on ? { quietFrom, quietTo, criticalBreaks } : { quietFrom: null, quietTo: null, criticalBreaks };
