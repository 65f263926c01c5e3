import { reportFormats } from '../../../report/index.js';
import { defineOptions } from '../../options/define-options.js';
import { PATH, REPORTS, SWITCH, TEXT, VARIABLE_NAME } from './option-rules.js';

/** The options of the runner about what it prints, its TLS and its config file. */
export const OUTPUT_OPTIONS = defineOptions({
  report: {
    heading: 'Output',
    value: '<formats>',
    help: `${Object.keys(reportFormats).join(', ')}; several with commas`,
    details: 'Report formats; under GitHub Actions, github is added to the default',
    rule: REPORTS,
    otherwise: 'pretty',
  },
  'report-dir': {
    value: '<path>',
    help: 'write the reports as files into this folder',
    details: 'Write the reports as files into this folder, except pretty and github, which are printed',
    rule: PATH,
  },
  quiet: { help: 'show only the problems and the summary', rule: SWITCH },
  verbose: { help: 'show each scenario as it ends, and all results in full', rule: SWITCH },
  gaps: { help: 'show how the target behaves where the contract is silent', rule: SWITCH },
  color: { help: 'print no colours', rule: SWITCH, isNegated: true, from: ['flag'], default: true },
  ca: { heading: 'TLS', value: '<path>', help: "PEM certificates to trust in addition to Node's own", rule: PATH },
  cert: {
    value: '<path>',
    help: 'a PEM client certificate; PETSTORE_CERT_PASSPHRASE unlocks its key',
    rule: PATH,
  },
  'cert-key': { value: '<path>', help: 'its private key, if it is in another file', rule: PATH },
  'cert-passphrase-env': {
    help: 'the environment variable that holds the passphrase of the key',
    rule: VARIABLE_NAME,
    otherwise: 'PETSTORE_CERT_PASSPHRASE',
    from: ['file'],
  },
  insecure: { help: 'do not check certificates; the reports say so', rule: SWITCH },
  config: {
    heading: 'The program',
    value: '<path>',
    help: 'a YAML file with options and targets',
    rule: TEXT,
    from: ['flag', 'environment'],
    otherwise: 'petstore-conformance.yaml, if it exists',
  },
});
