import { readFile } from 'node:fs/promises';
import type { ServerResponse, IncomingMessage } from 'node:http';
import { printJson } from '../../contract/document/json.js';
import { printYaml } from '../../contract/document/yaml.js';
import type { Worlds } from '../../mock/world/worlds.js';
import { packageFile } from '../../package-files.js';
import type { AdminAccess } from '../admin/guard.js';
import type { MountedRequest } from '../http/middleware.js';
import { ASSETS_PATH } from '../world-names.js';
import { describeMock, listExamples } from './describe-mock.js';

type Serving = { worlds: Worlds; admin: AdminAccess | undefined };
type Serve = (request: MountedRequest, response: ServerResponse, serving: Serving) => Promise<void>;

const PLAIN = { 'Content-Type': 'text/plain; charset=utf-8' };

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
    const headers = { Location: `${mountPathOf(request)}/`, ...PLAIN };
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
    if (type !== undefined && text !== undefined)
      return send(request, response, { headers: { 'Content-Type': type }, text });
    const missing = 'There is no such file. npm run build creates the files of the console.\n';
    send(request, response, { status: 404, headers: PLAIN, text: missing });
  },
} satisfies Record<string, Serve>;

/** A page may run and fetch only what this server sends: data from clients can never become a script or a frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const PAGE = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  // For browsers that do not know frame-ancestors.
  'X-Frame-Options': 'DENY',
};

type PlainAnswer = { status?: number; headers: Record<string, string>; text: string | Buffer };

export function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status = 200, headers, text }: PlainAnswer,
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    'Cache-Control': 'no-cache',
    Vary: 'Accept',
    ...ALWAYS,
    ...headers,
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(method === 'HEAD' ? undefined : text);
}

/** A page with its program's data, which no browser runs as a script and which cannot end its element early. */
export function sendPage(request: IncomingMessage, response: ServerResponse, page: ConsolePage): void {
  const { assets, program, about } = page;
  const data = JSON.stringify(about).replaceAll('<', String.raw`\u003c`);
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>petstore-mock</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${assets}icon.svg">
<link rel="stylesheet" href="${assets}style.css">
<script type="module" src="${assets}${program}.js"></script>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. The mock does not: see its admin API at /__admin and the contract at /openapi.yaml.</noscript>
<script type="application/json" id="about">${data}</script>
</body>
</html>
`;
  send(request, response, { headers: PAGE, text });
}

type ConsolePage = { assets: string; program: 'home' | 'admin'; about: object };

/** The mount path. The page's addresses contain it, so characters that could end an attribute are refused. */
export const mountPathOf = ({ baseUrl = '' }: MountedRequest): string =>
  /^[\w~!$'()*+,;=:@%/.-]*$/.test(baseUrl) ? baseUrl.replaceAll("'", '%27') : '';
