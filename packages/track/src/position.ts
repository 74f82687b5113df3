/** A stored position in SI units, as the server keeps it. Texts and numbers come back as they were, bit by bit. */
export interface TrackPosition {
  /** Milliseconds since 1970, whole. */
  readonly fixAt: number;
  readonly receivedAt: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number | null;
  readonly course: number | null;
  readonly altitude: number | null;
  readonly odometer: number | null;
  readonly fuel: number | null;
  readonly temperature: number | null;
  readonly hdop: number | null;
  readonly satellites: number | null;
  readonly gsm: number | null;
  readonly valid: boolean;
  readonly ignition: boolean | null;
  readonly late: boolean;
  readonly doubts: number;
  readonly protocol: string;
  readonly event: string | null;
  readonly rfid: string | null;
  /** What a JSON object can hold. */
  readonly attributes: Readonly<Record<string, unknown>> | null;
}
