import { expectTypeOf, test } from 'vitest';
import type * as SendPage from '../../src/console/send/to-request.js';
import type * as Page from '../../src/console/types.js';
import type { describeOperation } from '../../src/server/admin/handlers.js';
import type { describeMock, Excerpt, describeReference } from '../../src/server/console/describe-mock.js';
import type { FeedBatch, FeedRow } from '../../src/server/console/feed.js';

/** What JSON makes of a value: members that are `undefined` are left out. */
type Sent<T> = T extends readonly (infer Item)[]
  ? Sent<Item>[]
  : T extends object
    ? { [Key in keyof T as undefined extends T[Key] ? never : Key]: Sent<T[Key]> } & {
        [Key in keyof T as undefined extends T[Key] ? Key : never]?: Sent<Exclude<T[Key], undefined>>;
      }
    : T;

// The page is built apart from the server, so that nothing else holds the two to each other.
test('what the server sends is what the page reads', () => {
  expectTypeOf<Sent<FeedRow>>().toExtend<Page.Row>();
  expectTypeOf<Sent<FeedBatch>>().toExtend<Page.Batch>();
  expectTypeOf<Sent<Excerpt>>().toExtend<Page.Excerpt>();
  expectTypeOf<Sent<ReturnType<typeof describeMock>>>().toExtend<Page.AboutMock>();
  expectTypeOf<Sent<ReturnType<typeof describeReference>>>().toExtend<Page.Reference>();
  expectTypeOf<Sent<ReturnType<typeof describeOperation>>>().toExtend<SendPage.OperationForm>();
});

test('a member that the server no longer sends is found', () => {
  expectTypeOf<Sent<Omit<FeedRow, 'status'>>>().not.toExtend<Page.Row>();
  expectTypeOf<Sent<Omit<FeedRow, 'url'> & { url: number }>>().not.toExtend<Page.Row>();
});
