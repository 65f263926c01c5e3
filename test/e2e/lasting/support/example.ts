import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { packageFile } from '../../../../src/package-files.js';

/** The files of an example of containers: their texts, the command of its image, and what its pods are. */
export function readExample(folder: string, kind: string) {
  const read = (name: string): string => readFileSync(packageFile(`${folder}/${name}`), 'utf8');
  const command = JSON.parse(/^CMD (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '') as string[];
  const documents = parseAllDocuments(read('kubernetes.yaml')).map((each) => each.toJS() as Record<string, unknown>);
  const workload = documents.find((each) => each['kind'] === kind);
  /** What stands at a path below `spec`, such as `template.spec.containers.0.args`. */
  const at = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], workload?.['spec']);
  const ofContainer = (path: string): unknown => at(`template.spec.containers.0.${path}`);
  const probes = ['livenessProbe', 'readinessProbe'].map((name) => String(ofContainer(`${name}.httpGet.path`)));
  return {
    read,
    at,
    ofContainer,
    probes,
    commands: { Dockerfile: command, kubernetes: ofContainer('args') as string[] },
  };
}
