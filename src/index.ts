export { PetstoreMockError, type ErrorCode, type SourcePlace } from './errors.js';
export { createPetstoreApp, type PetstoreApp } from './server/start-petstore-mock.js';
export { startPetstoreMock, type PetstoreMock } from './server/start-petstore-mock.js';
export { connectPetstoreMock, type ConnectedMock, type ConnectOptions } from './testing/connect-petstore-mock.js';
export {
  createPetstoreFetch,
  type Fetch,
  type NamedFetchWorld,
  type PetstoreFetch,
  type PetstoreFetchOptions,
} from './testing/create-petstore-fetch.js';
export type { ListeningOptions, PetstoreOptions } from './server/options.js';
export type {
  CoverageOptions,
  CoverageReport,
  Exchange,
  AnswerOptions,
  Faults,
  NamedWorld,
  NeverExercised,
  NewPet,
  Pet,
  Pets,
  PetStatus,
  PetstoreWorld,
  PetstoreWorlds,
  Profiles,
  RecordedMessage,
  RequestFilter,
  Requests,
  Snapshots,
  ExchangeVerdict,
  WaitOptions,
  WorldProfile,
} from './server/petstore-world.js';
export type { CollectionFacts, CollectionOptions, Records, RecordsNow } from './server/petstore-world.js';
export type { HandlerAnswer, HandlerCall, OwnHandler, OwnHandlers } from './server/own-handlers.js';
export type { DateLike, WorldClock, WorldDelay } from './server/petstore-world.js';
export type { CoverageKind } from './contract/coverage.js';
export type { PetstoreProfile } from './server/options.js';
export type { ProfileAnswer } from './contract/gaps/profile.js';
export type { Int64 } from './contract/document/json.js';
export type { DelayRange } from './mock/world/clock.js';
export type { DeprecatedCaller } from './mock/world/journal.js';
export type {
  AnswerEffect,
  Fault,
  FaultCondition,
  FaultEffect,
  FaultPosition,
  PlantedAnswer,
  PlantedFault,
  SpoiledEffect,
  StatusEffect,
} from './mock/faults/faults.js';
export type { Side } from './mock/world/journal.js';
export type { ContractPlace, MessagePart, Violation } from './contract/schemas/violation.js';
