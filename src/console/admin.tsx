import { effect } from '@preact/signals';
import { render, type JSX } from 'preact';
import { CallFailed, isLocked, readAbout, token, Unreachable } from './api.js';
import { Behaviour } from './behaviour/behaviour.js';
import { Collections } from './collections/collections.js';
import { CoveragePanel } from './coverage-panel.js';
import { Exchanges } from './exchanges/exchanges.js';
import { followFeed, reconnects } from './feed.js';
import { Shell } from './parts/shell.js';
import { Send } from './send/send.js';
import { attempt, loadAbout, route, world } from './state.js';

const PANELS: Record<string, () => JSX.Element> = {
  exchanges: () => <Exchanges />,
  send: () => <Send />,
  collections: () => <Collections />,
  behaviour: () => <Behaviour />,
  coverage: () => <CoveragePanel />,
};

function Console(): JSX.Element {
  const show = PANELS[route.value.panel] ?? PANELS['exchanges'];
  return <Shell>{show?.()}</Shell>;
}

/** That the mock has gone is said by the frame; that the world has, by the feed. */
async function loadAboutIfThere(): Promise<void> {
  await loadAbout().catch((error: unknown) => {
    const isTold = error instanceof Unreachable || (error instanceof CallFailed && error.status === 404);
    if (!isTold) throw error;
  });
}

if ((readAbout() as { needsToken: boolean }).needsToken && token.value === '') isLocked.value = true;
effect(() => {
  void world.value;
  void reconnects.value;
  if (!isLocked.value) void attempt(loadAboutIfThere);
});
followFeed();
const app = document.querySelector('#app');
if (app !== null) render(<Console />, app);
