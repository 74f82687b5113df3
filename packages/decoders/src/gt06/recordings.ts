import { noteOf, type Recordings } from '../testing/recordings.ts';

export const recordings: Recordings = {
  disagreements: {
    14: 'the expected altitude is the checksum read as a number',
    25: 'the checksum is wrong',
    29: 'alarm 0x0C is “power on” in the maker’s table',
    79: 'the checksum is wrong',
    91: 'a request for an address has the fix of the location packets',
    94: 'the checksum is wrong',
    96: 'alarm 0x19 is “internal battery low” in the maker’s table',
    97: 'no document says that the status of this length holds volts',
  },
  hints: {
    event: message => noteOf(message, 'alarmCode'),
    eventfiles: message => noteOf(message, 'files'),
    serial: message => `RFID:${noteOf(message, 'rfid')}`,
    iccid: message => (message.kind === 'reply' ? /\d{19,20}/.exec(message.text)?.[0] : null),
  },
};
