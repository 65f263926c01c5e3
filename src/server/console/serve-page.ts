import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { printJson } from '../../contract/document/json.js';
import { printYaml } from '../../contract/document/yaml.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { packageFile } from '../../package-files.js';
import type { AdminAccess } from '../admin/guard.js';
import { ASSETS_PATH } from '../world-names.js';
import { describeMock } from './describe-mock.js';
import { listExamples } from './examples.js';
import { mountPathOf, type MountedRequest } from './mount-path.js';
import { send, sendPage } from './send.js';

interface Serving {
  worlds: Worlds;
  admin: AdminAccess | undefined;
}

type Serve = (request: MountedRequest, response: ServerResponse, serving: Serving) => Promise<void>;

/** The served files by name; nothing else in the folder is served. */
const ASSETS: Readonly<Record<string, string>> = {
  'home.js': 'text/javascript; charset=utf-8',
  'admin.js': 'text/javascript; charset=utf-8',
  'shared.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

export const servers = {
  async home(request, response, { worlds, admin }) {
    const mountPath = mountPathOf(request);
    const about = describeMock(worlds.default, { mountPath, admin, showsExamples: true });
    sendPage(request, response, { assets: `${mountPath}${ASSETS_PATH}`, program: 'home', about });
  },

  async examples(request, response, { worlds }) {
    const { searchParams } = new URL(request.url ?? '', 'http://mock');
    const text = JSON.stringify(listExamples(worlds.default, searchParams.get('from')));
    send(request, response, { headers: { 'Content-Type': 'application/json' }, text });
  },

  async redirect(request, response) {
    const headers = { Location: `${mountPathOf(request)}/`, 'Content-Type': 'text/plain; charset=utf-8' };
    send(request, response, { status: 302, headers, text: '' });
  },

  async contract(request, response, { worlds }) {
    const { root } = worlds.default.contract.document;
    const isJson = request.url?.endsWith('.json') === true;
    const text = isJson ? printJson(root) : printYaml(root);
    const headers = { 'Content-Type': isJson ? 'application/json' : 'application/yaml; charset=utf-8' };
    send(request, response, { headers, text });
  },

  async asset(request, response) {
    const name = request.url?.slice(ASSETS_PATH.length) ?? '';
    const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    const text =
      type === undefined ? undefined : await readFile(packageFile(`dist/console/${name}`)).catch(() => undefined);
    if (type === undefined || text === undefined) {
      const missing = { status: 404, headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
      return send(request, response, {
        ...missing,
        text: 'There is no such file. npm run build creates the files of the console.\n',
      });
    }
    send(request, response, { headers: { 'Content-Type': type }, text });
  },
} satisfies Record<string, Serve>;
