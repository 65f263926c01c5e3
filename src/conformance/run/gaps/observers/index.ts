import { createErrorCodesObserver, createErrorFieldsObserver } from './errors.js';
import {
  createPagingHeadersObserver,
  createRecordFieldsObserver,
  createRateLimitingObserver,
} from './fields-and-headers.js';
import { createListOrderObserver } from './list-order.js';
import { createNameCharactersObserver } from './name-characters.js';
import type { CreateObserver } from './observer.js';
import { createSortDirectionObserver } from './sort-direction.js';
import { createStatusAfterCreateObserver } from './status-after-create.js';
import { createAfterRemovalObserver, createDeprecationObserver, createRemovalHourObserver } from './removal.js';

/** The gaps that any answer may show, by id; the others have scenarios of their own. */
export const observers: Readonly<Record<string, CreateObserver>> = {
  'after-removal': createAfterRemovalObserver,
  'deprecation-header': createDeprecationObserver,
  'error-codes': createErrorCodesObserver,
  'error-fields': createErrorFieldsObserver,
  'list-order': createListOrderObserver,
  'name-characters': createNameCharactersObserver,
  'paging-headers': createPagingHeadersObserver,
  'pet-fields': createRecordFieldsObserver,
  'rate-limiting': createRateLimitingObserver,
  'removal-hour': createRemovalHourObserver,
  'sort-direction': createSortDirectionObserver,
  'status-after-create': createStatusAfterCreateObserver,
};

/** Those that look at the records of any resource. */
export const OF_RESOURCES: readonly string[] = ['list-order', 'paging-headers', 'pet-fields', 'sort-direction'];
