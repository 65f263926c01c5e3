export { PetstoreMockError, type ErrorCode, type SourcePlace } from './errors.js';
