import { noteOf, type Recordings } from '../testing/recordings.ts';

export const recordings: Recordings = {
  disagreements: {
    8: 'Codec 13, an answer to “getinfo”: there is no fix in it',
    9: 'Codec 12, text of a device on the serial port: there is no fix in it',
    10: 'Codec 12, a Modbus frame: there is no fix in it',
    12: 'the checksum is wrong',
    13: 'the checksum is wrong',
    16: 'Codec 12, text of a device on the serial port: there is no fix in it',
    18: 'the last byte of the frame is missing',
    20: 'Codec 12, an answer to a command: there is no fix in it',
  },
  cutShort: [18],
  hints: {
    tag1battery: message => Math.round(Number(noteOf(message, 'tag1Battery')) * 1000),
    eyetemp1: message => noteOf(message, 'eyeTemperature1'),
  },
};
