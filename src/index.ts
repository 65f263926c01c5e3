export { PetstoreMockError, type ErrorCode, type SourcePlace } from './errors.js';
export { createPetstoreApp, type PetstoreApp } from './server/create-petstore-app.js';
export { startPetstoreMock, type PetstoreMock } from './server/start-petstore-mock.js';
export type { ListeningOptions, PetstoreOptions } from './server/options.js';
export type { NewPet, Pet, Pets, PetStatus, PetstoreHandles, RequestFilter, Requests } from './server/handles.js';
export type { Int64 } from './contract/json.js';
export type { DelayRange } from './mock/world.js';
export type { Exchange, Side } from './mock/journal.js';
export type { ContractPlace, MessagePart, Violation } from './contract/violation.js';
