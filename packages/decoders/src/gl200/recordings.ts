import { noteOf, type Recordings } from '../testing/recordings.ts';

/** Text recordings. */
export const recordings: Recordings = {
  disagreements: {
    21: 'text of a device on the serial port: the format of its maker is in no document at hand, the text is kept whole',
    75: 'there is no longitude and no latitude in it, only a cell tower',
  },
  hints: {
    data: message => noteOf(message, 'serialData'),
    fuel: message => noteOf(message, 'fuelSensor1'),
    accessoryvoltage: message => noteOf(message, 'tag1BatteryVoltage'),
    warningtype: message => noteOf(message, 'warningType'),
    in: message => noteOf(message, 'input1'),
    'adc + 3': message => noteOf(message, 'analogInput3'),
  },
};

export const binaryRecordings: Recordings = { disagreements: {} };
