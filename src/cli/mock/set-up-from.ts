import { PetstoreMockError, type ErrorCode } from '../../errors.js';
import { setUp, type SetUp, type SetUpOptions } from '../../server/set-up.js';
import type { OPTIONS } from './options.js';
import type { Settings } from './settings.js';

/** The option at fault if an error names no file. */
const AT_FAULT: Partial<Record<ErrorCode, keyof typeof OPTIONS>> = {
  'bad-fault': 'fault',
  'unusable-fixtures': 'fixtures',
};

/** {@link setUp} from settings. An error about handlers names their file, one about a setting from the config file its line. */
export function setUpFrom(
  settings: Settings,
  more: Pick<SetUpOptions, 'onProgress' | 'onExchange' | 'tracking' | 'checkAll'> = {},
): SetUp {
  try {
    return setUp({ ...settings, ...more });
  } catch (error) {
    if (!(error instanceof PetstoreMockError) || error.place !== undefined) throw error;
    if (error.code === 'bad-handler' && settings.handlersFile !== undefined)
      throw new PetstoreMockError(error.code, error.message, { file: settings.handlersFile });
    const option = AT_FAULT[error.code];
    const where = option === undefined ? undefined : settings.placeInConfig(option);
    throw where === undefined ? error : new PetstoreMockError(error.code, `${where}: ${error.message}`);
  }
}
