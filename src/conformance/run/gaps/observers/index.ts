import { createErrorCodesObserver, createErrorFieldsObserver } from './errors.js';
import {
  createPagingHeadersObserver,
  createRecordFieldsObserver,
  createRateLimitingObserver,
} from './fields-and-headers.js';
import { createListOrderObserver } from './list-order.js';
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
  'paging-headers': createPagingHeadersObserver,
  'pet-fields': createRecordFieldsObserver,
  'rate-limiting': createRateLimitingObserver,
  'removal-hour': createRemovalHourObserver,
  'sort-direction': createSortDirectionObserver,
  'status-after-create': createStatusAfterCreateObserver,
};
