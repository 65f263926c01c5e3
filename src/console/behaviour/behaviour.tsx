import type { JSX } from 'preact';
import { ClockPanel } from './clock.js';
import { DelayPanel } from './delay.js';
import { FaultsPanel } from './faults.js';
import { ProfilePanel } from './profile.js';
import { WorldsPanel } from './worlds.js';

/** Everything that makes the mock answer differently: shown, set and cleared. */
export function Behaviour(): JSX.Element {
  return (
    <div class="stack">
      <FaultsPanel />
      <DelayPanel />
      <ClockPanel />
      <WorldsPanel />
      <ProfilePanel />
    </div>
  );
}
