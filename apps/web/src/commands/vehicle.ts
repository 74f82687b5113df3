/** A vehicle as the dialog needs it; every list of the app has these. */
export interface CommandVehicle {
  readonly id: string;
  readonly imei: string;
  readonly deviceName: string;
}
