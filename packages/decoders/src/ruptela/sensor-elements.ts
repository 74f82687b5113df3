import { type ElementRow, FLAG, HOUR, MILLI, numbered, range, SET1, SET2, SET4 } from './element-row.ts';

/** 1-Wire: 850 and 2000 to 2004 are errors. Bluetooth: 0x7FFD to 0x7FFF. */
const PROBE = { scale: 0.1, signed: true, lowest: -550, highest: 849 } as const;
const BLUETOOTH = { scale: 0.01, signed: true, highest: 32_700 } as const;
const HUMIDITY = { scale: 0.01, highest: 10_000 } as const;
const FRIDGE = { scale: 0.1, signed: true, highest: 32_766 } as const;
/** In tenths of a °F. */
const TOUCHPRINT = { scale: 1 / 18, offset: -160 / 9, signed: true, lowest: -32_751 } as const;
/** Numbers with an offset of 250 in tenths. */
const IQ = { scale: 0.1, offset: -250, ...SET4 } as const;
const FUEL_C = [66, 68, 69, ...range(81, 87)];
const FUEL_C_TEMPERATURE = [...range(56, 64), 75];
const FUEL = { signed: true, lowest: -127 } as const;

/** Sensors and readers that are connected to the tracker by wire or radio. */
export const SENSOR_ELEMENTS: readonly ElementRow[] = [
  ...numbered([78, 79, 80, 74], 2, 'temperature#', '°C', PROBE),
  ...numbered([70, 71, 72, 73], 8, 'temperatureSensor#', ''),
  ...numbered(range(817, 820), 2, 'humidity#', '%', { scale: 0.1, highest: 1000 }),
  ...numbered(range(144, 149), 2, 'otTemperature#', '°C', { scale: 0.1, signed: true, highest: 5554 }),
  [34, 8, 'iButton', ''],
  [620, 8, 'iButtonInternal', ''],
  [536, 8, 'passengerIButton', ''],
  ...numbered([171, 172], 8, 'rfid#', ''),
  [575, 8, 'wirelessDriver', ''],
  [617, 8, 'magneticCard', ''],
  // Fuel: 0 empty, 4095 or 1023 full
  [211, 2, 'fuelSensorA', '', SET2],
  [212, 1, 'fuelSensorATemperature', '°C', FUEL],
  [67, 2, 'fuelSensorB', '', SET2],
  [76, 1, 'fuelSensorBTemperature', '°C', FUEL],
  ...numbered(FUEL_C, 2, 'fuelSensor#', '', SET2),
  ...numbered(FUEL_C_TEMPERATURE, 1, 'fuelSensor#Temperature', '°C', FUEL),
  ...numbered([18, 19, 958], 2, 'fuelCounter#', ''),
  // Bluetooth
  ...numbered(range(600, 604), 2, 'tag#Temperature', '°C', BLUETOOTH),
  ...numbered(range(605, 609), 2, 'tag#Humidity', '%', HUMIDITY),
  ...numbered(range(764, 768), 1, 'tag#Battery', '%', { highest: 100 }),
  ...numbered(range(769, 773), 1, 'tag#BatteryVoltage', 'V', { scale: 0.1, ...SET1 }),
  ...numbered(range(774, 778), 1, 'tag#State', '', SET1),
  ...numbered(range(779, 783), 2, 'tag#Value', '', SET2),
  ...numbered(range(784, 788), 4, 'tag#Frequency', 'Hz', { scale: MILLI, ...SET4 }),
  // Breath
  [533, 1, 'alcoholState', ''],
  [534, 2, 'alcohol', '', { scale: MILLI }],
  // Refrigerators
  [177, 1, 'fridgeFuelLevel', '%', { highest: 100 }],
  [178, 2, 'fridgeBatteryVoltage', 'V', { scale: 0.05, ...SET2 }],
  [179, 4, 'fridgeElectricHours', 's', { scale: 0.05 * HOUR, ...SET4 }],
  [180, 4, 'fridgeVehicleHours', 's', { scale: 0.05 * HOUR, ...SET4 }],
  [181, 4, 'fridgeEngineHours', 's', { scale: 0.05 * HOUR, ...SET4 }],
  [182, 1, 'fridgeAlarm', '', { highest: 15 }],
  [183, 1, 'fridgeAlarmCode', '', SET1],
  [184, 2, 'fridgeReturnTemperature', '°C', FRIDGE],
  [185, 2, 'fridgeSupplyTemperature', '°C', FRIDGE],
  [186, 2, 'fridgeSetpoint', '°C', FRIDGE],
  [187, 2, 'fridgeEvaporatorTemperature', '°C', FRIDGE],
  [188, 1, 'fridgeMode', '', { highest: 7 }],
  [189, 1, 'fridgeCycleMode', '', { highest: 2 }],
  [190, 1, 'fridgeHighSpeed', '', FLAG],
  [191, 1, 'fridgeDoor', '', FLAG],
  [192, 1, 'fridgeElectric', '', FLAG],
  [489, 1, 'fridgeEngine', '', FLAG],
  ...numbered(range(509, 514), 2, 'touchprintTemperature#', '°C', TOUCHPRINT),
  [840, 2, 'fridgeCoolantTemperature', '°C', FRIDGE],
  [841, 2, 'fridgeRpm', '1/min', SET2],
  [842, 2, 'fridgeAmbientTemperature', '°C', FRIDGE],
  [843, 2, 'fridgeZone2Temperature', '°C', FRIDGE],
  [844, 2, 'fridgeZone3Temperature', '°C', FRIDGE],
  [846, 1, 'fridgeAlarmCount', '', SET1],
  [886, 1, 'fridgeMode2', '', { highest: 7 }],
  [887, 2, 'fridgeSupplyTemperature2', '°C', FRIDGE],
  [888, 2, 'fridgeSetpoint2', '°C', FRIDGE],
  [902, 1, 'fridgeMode3', '', { highest: 7 }],
  [903, 2, 'fridgeSupplyTemperature3', '°C', FRIDGE],
  [904, 2, 'fridgeSetpoint3', '°C', FRIDGE],
  [658, 4, 'fridgeReturnTemperature', '°C', IQ],
  [661, 4, 'fridgeSetpoint', '°C', IQ],
  [664, 4, 'fridgeAmbientTemperature', '°C', IQ],
  [665, 4, 'fridgeCoolantTemperature', '°C', IQ],
  [666, 4, 'fridgeRpm', '1/min', IQ],
  [673, 4, 'fridgeDoor', '', FLAG],
  [676, 4, 'fridgeBatteryVoltage', 'V', IQ],
  // Scales and trailers
  [656, 2, 'trailerWeight', 'kg', { scale: 100, ...SET2 }],
  [657, 2, 'truckWeight', 'kg', { scale: 100, ...SET2 }],
  [829, 2, 'trailerLoad', 'kg', { scale: 100, ...SET2 }],
  [830, 2, 'truckLoad', 'kg', { scale: 100, ...SET2 }],
  ...numbered(range(831, 838), 2, 'scaleAxle#Weight', 'kg', { scale: 100, ...SET2 }),
  [566, 2, 'trailerAxleWeight', 'kg', { scale: 2, ...SET2 }],
  [567, 1, 'trailerSupplyPressure', 'Pa', { scale: 5000, ...SET1 }],
  [571, 4, 'trailerOdometer', 'm', { scale: 5, highest: 4_211_081_215 }],
];
