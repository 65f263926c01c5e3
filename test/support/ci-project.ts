import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startMutationServer } from '../mutation/server/start-server.js';
import { createProject } from './readme.js';
import { packTarball } from './tarball.js';

/** Where a project has the tarball of the package. */
export const PACKAGE = 'vendor/petstore-mock.tgz';

let tarball: Promise<string> | undefined;

/** A project with the tarball of the package. */
export async function createPackedProject(files?: Record<string, string>): Promise<string> {
  const project = createProject(files);
  mkdirSync(join(project, 'vendor'));
  copyFileSync(await (tarball ??= packTarball()), join(project, PACKAGE));
  return project;
}

/** What a job ends with at a deployment that is sound, and at one that ignores the filter. */
export const DEPLOYMENTS = [
  { isSound: true, code: 0 },
  { isSound: false, code: 1 },
];

export async function deploy({ isSound, apiKey }: { isSound: boolean; apiKey: string }): Promise<string> {
  const server = await startMutationServer({ mutants: isSound ? [] : ['filter-ignored'], apiKey });
  onTestFinished(() => server.close());
  return server.url;
}

/** As a CI runner does: in a shell that stops at the first failure, and nothing in the environment but what it gives. */
export function runJob(
  script: string,
  cwd: string,
  given: Record<string, string>,
): Promise<{ code: number; stdout: string }> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, npm_config_prefer_offline: 'true', ...given };
  return new Promise((resolve) => {
    execFile('bash', ['-e', '-c', script], { cwd, env }, (error, stdout) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout }),
    );
  });
}
