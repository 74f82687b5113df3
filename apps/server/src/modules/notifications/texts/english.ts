import type { MailTexts } from './mail-texts.ts';

export const english: MailTexts = {
  conflict: {
    protocol: ({ protocol, address, own }) => `${protocol} from ${address} was refused; this vehicle uses ${own}`,
    address: ({ protocol, address }) =>
      `${protocol} from ${address} was refused; this vehicle reports from other addresses only`,
    connection: ({ speeds, distance }) => `Two connections disagree: ${speeds}, ${distance} apart`,
    itself: ({ speeds, distance }) => `Its own reports disagree: ${speeds}, ${distance} apart`,
  },
  taskDue: time => `due ${time}`,
  near: (distance, point, town) => `${distance} ${point} of ${town}`,
  otherVehicle: name => `other vehicle: ${name}`,
  insteadOf: (geofence, expected) => `${geofence} instead of ${expected}`,
  crossing: { in: geofence => `entered ${geofence}`, out: geofence => `left ${geofence}` },
  hello: name => `${name},`,
  came: (count, account) => (count === 1 ? `${account} has an alert.` : `${account} has ${count} alerts.`),
  held: 'This includes alerts from your quiet hours.',
  beyond: count =>
    count === 1
      ? 'One of them came after you reached your daily limit.'
      : `${count} of them came after you reached your daily limit.`,
  digest: {
    title: count => (count === 1 ? 'One more alert' : `${count} more alerts`),
    body: limit => `Not acknowledged yet. They came after your daily limit${limit === null ? '' : ` of ${limit}`}.`,
  },
  reminder: {
    certification: {
      title: count => (count === 1 ? 'Certify 1 day of your log' : `Certify ${count} days of your log`),
      body: (by, count) => `${by} asks you to check and certify ${count === 1 ? 'it' : 'them'}.`,
    },
    proposals: {
      title: count =>
        count === 1 ? 'A change to your log needs your answer' : `${count} changes to your log need your answer`,
      body: (by, count) => `${by} asks you to accept or reject ${count === 1 ? 'it' : 'them'}.`,
    },
    unidentified: {
      title: () => 'Unidentified driving: was it you?',
      body: (by, count) => `${by} asks you about ${count === 1 ? 'a drive' : `${count} drives`}.`,
    },
  },
  unanswered: 'Nobody has acknowledged it yet.',
  acknowledged: (name, time) => `Acknowledged by ${name}, ${time}.`,
  ended: time => `Ended ${time}.`,
  undecided: time => `Needs a decision by ${time}.`,
  late: 'Reported late.',
  times: count => `${count} times.`,
  more: count => (count === 1 ? 'One more is not listed here.' : `${count} more are not listed here.`),
  all: 'All alerts:',
  choose: 'Choose which alerts you get by email, and when:',
  subjectUnanswered: subject => `Not acknowledged: ${subject}`,
  subjectMany: (count, critical) => (critical === 0 ? `${count} alerts` : `${count} alerts, ${critical} critical`),
  test: {
    subject: 'Test email from Milepost',
    text: 'This is the test email you requested. Alerts will reach you at this address.',
  },
};
