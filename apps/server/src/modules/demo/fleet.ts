import { type FuelType, hasImeiCheckDigit, type TrackerProtocol, type VehicleType } from '@milepost/contract';
import { vinOf } from './vin.ts';

export const DEMO_COMPANY = 'Rockfish Freight Lines';
/** What Settings › Organization says of it. */
export const DEMO_ORGANIZATION = {
  address: '4400 S Racine Ave, Chicago, IL 60609',
  dotNumber: '9900417',
  authorityNumber: 'MC-990417',
} as const;

export interface DemoVehicle {
  readonly imei: string;
  readonly name: string;
  readonly plate: string;
  readonly vin: string;
  readonly type: VehicleType;
  readonly make: string;
  readonly model: string;
  readonly year: number;
  readonly fuel_type: FuelType;
  readonly tank_litres: number;
  readonly tracker_model: string;
  readonly protocol: TrackerProtocol;
}

type Model = readonly [make: string, model: string, year: number];

/** What the company drives: how many of each, the unit numbers they begin at, and the tracker that its like carries. */
const GROUPS: readonly {
  readonly count: number;
  /** As it is painted on the door: tractors 41xx, box trucks 33xx, vans 55xx, reefers R-7xx. */
  readonly unitNumber: (unit: number) => string;
  readonly firstUnit: number;
  readonly plate: (unit: number) => string;
  readonly models: readonly Model[];
  readonly type: VehicleType;
  readonly fuel: FuelType;
  readonly tankLitres: number;
  readonly trackerModel: string;
  readonly protocol: TrackerProtocol;
}[] = [
  {
    count: 20,
    unitNumber: unit => `4${unit}`,
    firstUnit: 101,
    // Illinois apportioned plates: P and six digits.
    plate: unit => `P${610_000 + unit * 37}`,
    models: [
      ['Freightliner', 'Cascadia', 2023],
      ['Kenworth', 'T680', 2022],
      ['Volvo', 'VNL 760', 2024],
      ['Peterbilt', '579', 2021],
    ],
    type: 'tractor',
    fuel: 'diesel',
    tankLitres: 760,
    trackerModel: 'FMC650',
    protocol: 'teltonika',
  },
  {
    count: 8,
    unitNumber: unit => `3${unit}`,
    firstUnit: 301,
    // Illinois truck plates end in the letter of their weight class.
    plate: unit => `${20_000 + unit * 113}K`,
    models: [
      ['Isuzu', 'NPR-HD', 2021],
      ['Hino', 'L6', 2022],
      ['Freightliner', 'M2 106', 2020],
    ],
    type: 'box-truck',
    fuel: 'diesel',
    tankLitres: 380,
    trackerModel: 'GT06N',
    protocol: 'gt06',
  },
  {
    count: 6,
    unitNumber: unit => `5${unit}`,
    firstUnit: 501,
    plate: unit => `${31_000 + unit * 29}B`,
    models: [
      ['Ford', 'Transit 250', 2023],
      ['Ram', 'ProMaster 2500', 2022],
      ['Mercedes-Benz', 'Sprinter 2500', 2023],
    ],
    type: 'van',
    fuel: 'petrol',
    tankLitres: 95,
    trackerModel: 'Phone',
    protocol: 'osmand',
  },
  {
    count: 6,
    unitNumber: unit => `R-${unit}`,
    firstUnit: 701,
    plate: unit => `P${640_000 + unit * 41}`,
    models: [
      ['International', 'MV607', 2023],
      ['Hino', 'XL8', 2022],
    ],
    type: 'truck',
    fuel: 'diesel',
    tankLitres: 230,
    trackerModel: 'Own build',
    protocol: 'mqtt',
  },
];

/** The 40 vehicles of the demo, the same ones in every demo. */
export const DEMO_FLEET: readonly DemoVehicle[] = GROUPS.flatMap(group =>
  Array.from({ length: group.count }, (_, index) => {
    const unit = group.firstUnit + index;
    const [make, model, year] = group.models[index % group.models.length] as Model;
    return {
      imei: testImei(unit),
      name: group.unitNumber(unit),
      plate: group.plate(unit),
      vin: vinOf(make, year, unit),
      type: group.type,
      make,
      model,
      year,
      fuel_type: group.fuel,
      tank_litres: group.tankLitres,
      tracker_model: group.trackerModel,
      protocol: group.protocol,
    };
  }),
);

/** From the range for test equipment (reporting body 00, GSMA TS.06), so that no real tracker has it. */
function testImei(serial: number): string {
  const body = `00101010${String(serial).padStart(6, '0')}`;
  for (let digit = 0; digit < 10; digit++) {
    const imei = `${body}${digit}`;
    if (hasImeiCheckDigit(imei)) return imei;
  }
  throw new Error('One of ten digits is the check digit');
}
