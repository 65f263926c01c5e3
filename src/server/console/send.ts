import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A page may run and fetch only what this server sends. Data from clients can never become a script,
 * a style or a frame, even through a mistake of ours.
 */
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

export interface PlainAnswer {
  status?: number;
  headers: Record<string, string>;
  text: string | Buffer;
}

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

/**
 * A page with its program and the program's data. No browser runs the data as a script, and the data cannot end its element
 * early.
 */
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

export interface ConsolePage {
  /** The path of the files, which this program makes itself, so it needs no escapes. */
  assets: string;
  program: 'home' | 'admin';
  about: object;
}
