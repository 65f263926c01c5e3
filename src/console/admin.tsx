import { effect } from '@preact/signals';
import { render, type JSX } from 'preact';
import { isLocked, readAbout, token } from './api.js';
import { Behaviour } from './behaviour/behaviour.js';
import { Collections } from './collections/collections.js';
import { CoveragePanel } from './coverage-panel.js';
import { Exchanges } from './exchanges/exchanges.js';
import { followFeed } from './feed.js';
import { Shell } from './parts/shell.js';
import { attempt, loadAbout, route, world } from './state.js';

const PANELS: Record<string, () => JSX.Element> = {
  exchanges: () => <Exchanges />,
  collections: () => <Collections />,
  behaviour: () => <Behaviour />,
  coverage: () => <CoveragePanel />,
};

function Console(): JSX.Element {
  const show = PANELS[route.value.panel] ?? PANELS['exchanges'];
  return <Shell>{show?.()}</Shell>;
}

if ((readAbout() as { needsToken: boolean }).needsToken && token.value === '') isLocked.value = true;
effect(() => {
  void world.value;
  if (!isLocked.value) void attempt(loadAbout);
});
followFeed();
const app = document.querySelector('#app');
if (app !== null) render(<Console />, app);
