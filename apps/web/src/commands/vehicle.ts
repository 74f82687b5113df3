/** The vehicle data that the command dialog needs. Every list in the app has it. */
export interface CommandVehicle {
  readonly id: string;
  readonly imei: string;
  readonly deviceName: string;
}
