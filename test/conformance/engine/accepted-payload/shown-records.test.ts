import { expect, test } from 'vitest';
import { isKeyOfAnother } from '../../../../src/conformance/engine/accepted-payload.js';

test.each(['categoryId', 'owner_id', 'fk', 'parentRef', 'category-id', 'siteID'])(
  '%s may be the key of another',
  (name) => {
    expect(isKeyOfAnother(name)).toBe(true);
  },
);

test.each(['paid', 'valid', 'api_key', 'accessKey', 'pinCode', 'promo_code', 'name', 'sessionId'])(
  'what others have in %s is not copied',
  (name) => {
    expect(isKeyOfAnother(name)).toBe(false);
  },
);
