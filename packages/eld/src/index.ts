export { canonicalJson } from './chain/canonical-json.ts';
export { type DailyRoot, rootDay, rootOf } from './chain/daily-root.ts';
export { contentOf, type Link, linkHash, nextLink, START } from './chain/link.ts';
export {
  type ExportedLink,
  LOG_FORMAT,
  type LogFile,
  type LogFileHead,
  readLogFile,
  writeLogFile,
} from './chain/log-file.ts';
export { nextPhoneLink, type PhoneEntry, phoneChain, phoneLinkHash } from './chain/phone-link.ts';
export { hashOf } from './chain/sha256.ts';
export { type ChainFault, describeChainFault, type VerifiedLog, verifyLog } from './chain/verify.ts';
export { eventCheck, fileCheck, lineCheck } from './check-values.ts';
export {
  advanceDvir,
  type Defect,
  DVIR_STATES,
  type Dvir,
  type DvirRefusal,
  type DvirReport,
  type DvirState,
  type DvirStep,
  dvirSchema,
  INSPECTED_PARTS,
  type InspectedPart,
  mayBeDriven,
  openDvir,
  type Signature,
  trailersOf,
} from './dvir/dvir.ts';
export * from './event/codes.ts';
export { type Coordinates, coordinatesOf, milesSinceFix, type PlaceKnowledge } from './event/coordinates.ts';
export { type UncheckedDutyEvent, withCheck } from './event/duty-event.ts';
export {
  type CertificationEvent,
  type DutyEvent,
  type EldEvent,
  type EngineEvent,
  type FaultEvent,
  isDutyEvent,
  type RecordedEvent,
  type SessionEvent,
} from './event/event.ts';
export { secondOf } from './event/second-of.ts';
export { formatSequence, nextSequence, SEQUENCE_IDS, sequenceAt } from './event/sequence-id.ts';
export { type FaultMark, type FaultState, indicatorsOf, NO_FAULTS } from './faults/fault-state.ts';
export { advanceFaults } from './faults/faults.ts';
export type { Observation, ObservationKind } from './faults/observation.ts';
export { addDays, dayOf, fileOffset, isZone, startOfDate } from './local-time.ts';
export { locationDescription, type NearTown, TOWN_POPULATION, type TownFinder } from './location.ts';
export { takeable } from './log/driving.ts';
export { dutySegments, rawTerminal } from './log/duty-segments.ts';
export { type EntryAction, type EntryWithEvent, hasEvent, type LogEntry, readEntry } from './log/entry.ts';
export type { CertifiedDay, LogRecord } from './log/record.ts';
export { openLog, type RecordLog, replay } from './log/record-log.ts';
export { REFUSALS, type Refusal } from './log/refusals.ts';
export { isUnidentified } from './log/rules.ts';
export { type ShownSegment, shownSegments } from './log/shown-segments.ts';
export type { LogTerms } from './log/state.ts';
export {
  buildOutputFile,
  type FileUser,
  type OutputSubject,
  type Person,
  UNIDENTIFIED_USER,
} from './output-file/build.ts';
export { describeOutputFault, type OutputFault, type OutputFaultCode } from './output-file/faults.ts';
export { outputFileName } from './output-file/file-name.ts';
export { PREVIEW, PREVIEW_COMMENT } from './output-file/preview.ts';
export { readOutputFile } from './output-file/read.ts';
export type { OutputFile } from './output-file/sections.ts';
export { writeOutputFile } from './output-file/write.ts';
export { type Composed, compose, type Readings, type RecordContext } from './recorder/compose.ts';
export { advanceRecorder, newRecorder, nextMoment } from './recorder/recorder.ts';
export {
  type Mark,
  type Question,
  RECORDER_REFUSALS,
  type RecorderInput,
  type RecorderRefusal,
  type RecorderState,
  type Step,
} from './recorder/recorder-state.ts';
export { bad, good, type Result } from './result.ts';
export { type SealedFile, sealStart } from './sealed-file.ts';
export { type OutputFileSummary, type Verdict, verifyFile, verifyText } from './verify.ts';
