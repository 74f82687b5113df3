import { IMPORT_COLUMNS } from '@milepost/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testImei } from '../../../testing/imei.ts';
import { readVehiclesCsv } from './csv.ts';

const [A, B, C] = [testImei(1), testImei(2), testImei(3)];

describe('a good file', () => {
  it.each([
    ['commas', `imei,deviceName,plate\n${A},Truck 1,IL 1\n${B},"Truck, 2",\n`],
    ['semicolons', `imei;deviceName;plate\r\n${A};Truck 1;IL 1\r\n${B};"Truck, 2";`],
    ['tabs', `imei\tdeviceName\tplate\n${A}\tTruck 1\tIL 1\n${B}\tTruck, 2\t\n`],
    ['another order and way of writing', `\ufeffPlate,Device name,IMEI\nIL 1, Truck 1 ,${A}\n,"Truck, 2",${B}\n\n`],
    ['short rows', `imei,deviceName,plate,vin,model\n${A},Truck 1,IL 1\n${B},"Truck, 2"\n`],
  ])('is read with %s', async (_, text) => {
    expect(await readVehiclesCsv(text)).toEqual({
      rows: 2,
      errors: [],
      vehicles: [
        { row: 2, fields: expect.objectContaining({ imei: A, deviceName: 'Truck 1', plate: 'IL 1' }), folder: null },
        { row: 3, fields: expect.objectContaining({ imei: B, deviceName: 'Truck, 2', plate: null }), folder: null },
      ],
    });
  });

  it('keeps text that looks like a formula or code unchanged', async () => {
    const name = '=HYPERLINK("http://x";1)';
    const { vehicles, errors } = await readVehiclesCsv(
      `imei,deviceName\n${A},"=HYPERLINK(""http://x"";1)"\n${B},__proto__\n`,
    );
    expect(errors).toEqual([]);
    expect(vehicles.map(({ fields }) => fields.deviceName)).toEqual([name, '__proto__']);
  });
});

it('reads every column, numbers and lists among them, and folders by name', async () => {
  const text = [
    'imei,deviceName,type,make,year,fuelType,tankLitres,odometerOffsetKm,tags,folder',
    `${A},Truck 1,TRACTOR,Volvo, 2024 ,Diesel,760.5,'-12.5,north; cold ;;,Line haul / North`,
    `${B},Truck 2,,,,,,,,`,
  ].join('\n');
  const { vehicles, errors } = await readVehiclesCsv(text);
  expect(errors).toEqual([]);
  expect(vehicles).toMatchObject([
    {
      fields: {
        type: 'tractor',
        make: 'Volvo',
        year: 2024,
        fuelType: 'diesel',
        tankLitres: 760.5,
        odometerOffsetKm: -12.5,
        tags: ['north', 'cold'],
      },
      folder: 'Line haul / North',
    },
    { fields: { type: null, make: null, year: null, tankLitres: null, tags: [] }, folder: null },
  ]);
  expect((await readVehiclesCsv(`imei,deviceName,year,type\n${A},Truck 1,soon,rocket\n`)).errors).toMatchObject([
    { row: 2, column: 'type', message: 'Choose a vehicle type from the list.' },
    { row: 2, column: 'year', message: 'Enter a 4-digit year.' },
  ]);
});

describe('a file with errors', () => {
  it('reports each by row and column, and continues', async () => {
    const text = [
      'imei,deviceName,vin',
      `${A},Truck 1,`,
      `123,Truck 2,`,
      `${B},,1FTEW1EP5JFA0000I`,
      '',
      `${C},Truck 3,,surplus`,
      `${A},truck 1,`,
    ].join('\n');
    expect(await readVehiclesCsv(text)).toMatchObject({
      rows: 5,
      errors: [
        { row: 3, column: 'imei', message: 'Check the IMEI. It has 15 digits, and the last one is a check digit.' },
        { row: 4, column: 'deviceName', message: 'Enter a name of up to 60 characters.' },
        { row: 4, column: 'vin', message: 'A VIN has 17 letters and digits, without I, O and Q.' },
        { row: 6, column: null, message: 'This row has more cells than the header.' },
        { row: 7, column: 'imei', message: 'Same as row 2.' },
        { row: 7, column: 'deviceName', message: 'Same as row 2.' },
      ],
    });
  });

  it.each([
    ['', 'The column imei is missing.'],
    ['imei\n', 'The column deviceName is missing.'],
    ['imei,deviceName,color\n', `“color” is not a column. The columns are ${IMPORT_COLUMNS.join(', ')}.`],
    ['imei,deviceName,IMEI\n', 'This column appears twice.'],
    ['imei,deviceName,__proto__\n', `“__proto__” is not a column. The columns are ${IMPORT_COLUMNS.join(', ')}.`],
    ['imei,deviceName\n\n ,\n', 'There are no vehicles in this file.'],
    ['imei,deviceName\n1,"Truck', 'A quote is opened and never closed.'],
    ['imei,deviceName\n1,"Truck"7\n', 'There is text after a closing quote.'],
    ['imei,deviceName\n1,Tr"uck\n', 'There is a quote inside a cell that does not start with one.'],
    [`imei,deviceName\n1,"${'x\n'.repeat(10_000)}"`, 'This row is too long. A closing quote may be missing.'],
    ['PK\u0003\u0004 a spreadsheet, not CSV', 'The column imei is missing.'],
  ])('%j: %s', async (text, message) => {
    const { errors, vehicles } = await readVehiclesCsv(text);
    expect(errors.map(error => error.message)).toContain(message);
    expect(vehicles).toEqual([]);
  });

  it('names control characters and what is too long', async () => {
    const { errors } = await readVehiclesCsv(
      `imei,deviceName\n${A},"Truck\n1"\n${B},Truck\u00001\n${C},${'x'.repeat(61)}\n`,
    );
    expect(errors.map(({ row, column }) => [row, column])).toEqual([
      [2, 'deviceName'],
      [3, 'deviceName'],
      [4, 'deviceName'],
    ]);
  });
});

it('handles any text without throwing: each row is read or refused once', async () => {
  const cell = fc.oneof(fc.constantFrom(A, B, 'imei', 'deviceName', 'plate', '"', '""', ''), fc.string());
  const text = fc
    .array(fc.array(cell, { maxLength: 6 }), { maxLength: 8 })
    .map(rows => rows.map(row => row.join(',')).join('\n'));
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, fc.string({ unit: 'binary' })), async noise => {
      for (const file of [noise, `imei,deviceName\n${noise}`]) {
        const { rows, vehicles, errors } = await readVehiclesCsv(file);
        expect(vehicles.length).toBeLessThanOrEqual(rows);
        if (vehicles.length < rows) expect(errors.length).toBeGreaterThan(0);
      }
    }),
  );
});
