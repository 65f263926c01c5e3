import { createRequire } from 'node:module';
import type * as Ajv from 'ajv/dist/2020.js';
import type standaloneCode from 'ajv/dist/standalone/index.js';
import type ajvFormats from 'ajv-formats';
import type * as ChildProcess from 'node:child_process';
import type * as Vm from 'node:vm';
import type * as Re2 from 're2js';
import type * as JsonParser from 'jsonc-parser';
import type * as Yaml from 'yaml';

const require = createRequire(import.meta.url);

// The common start does not need these packages, which take longer to load than everything else.

export const loadYaml = (): typeof Yaml => require('yaml') as typeof Yaml;
export const loadJsonParser = (): typeof JsonParser => require('jsonc-parser') as typeof JsonParser;
export const loadAjv = (): typeof Ajv => require('ajv/dist/2020.js') as typeof Ajv;
export const loadAjvFormats = (): typeof ajvFormats.default => (require('ajv-formats') as typeof ajvFormats).default;

/** For patterns on which Node's own engine may take long. */
export const loadRe2 = (): typeof Re2 => require('re2js') as typeof Re2;
export const loadVm = (): typeof Vm => require('node:vm') as typeof Vm;
export const loadChildProcess = (): typeof ChildProcess => require('node:child_process') as typeof ChildProcess;

export const loadAjvStandalone = (): typeof standaloneCode.default =>
  (require('ajv/dist/standalone') as typeof standaloneCode).default;
