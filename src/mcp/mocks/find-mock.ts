import { loadContract } from '../../contract/contract.js';
import { PetstoreMockError } from '../../errors.js';
import { packageFile } from '../../package-files.js';
import { ADMIN_PATH } from '../../server/world-names.js';
import { connectPetstoreMock } from '../../testing/connect-petstore-mock.js';
import type { ReachedMock } from './mocks.js';

const SHIPPED = 'spec/petstore.openapi.yaml';

/** Reaches a mock that runs already, by any URL of it. Its token comes from the environment. */
export async function findMock(
  url: string,
  { spec, token }: { spec: string | undefined; token: string | undefined },
): Promise<ReachedMock> {
  if (!URL.canParse(url))
    throw new PetstoreMockError(
      'bad-option',
      'the url is not valid; give that of the mock, such as http://127.0.0.1:4010.',
    );
  const { origin } = new URL(url);
  const mock = await connectPetstoreMock(`${origin}${ADMIN_PATH}`, { token });
  const contract =
    spec === undefined
      ? loadContract(packageFile(SHIPPED), { shownAs: SHIPPED, trusted: true })
      : loadContract(spec, {});
  return { handles: mock, contract, spec, adminUrl: mock.adminUrl, apiKey: undefined, close: () => mock.close() };
}
