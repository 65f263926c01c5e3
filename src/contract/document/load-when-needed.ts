import { createRequire } from 'node:module';
import type * as Ajv from 'ajv/dist/2020.js';
import type standaloneCode from 'ajv/dist/standalone/index.js';
import type ajvFormats from 'ajv-formats';
import type * as Yaml from 'yaml';

const require = createRequire(import.meta.url);

// The common start does without these packages, which take longer to load than all the rest.

export function loadYaml(): typeof Yaml {
  return require('yaml') as typeof Yaml;
}

export function loadAjv(): typeof Ajv {
  return require('ajv/dist/2020.js') as typeof Ajv;
}

export function loadAjvFormats(): typeof ajvFormats.default {
  return (require('ajv-formats') as typeof ajvFormats).default;
}

export function loadAjvStandalone(): typeof standaloneCode.default {
  return (require('ajv/dist/standalone') as typeof standaloneCode).default;
}
