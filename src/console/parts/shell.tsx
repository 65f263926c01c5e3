import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isLocked, keepToken, token } from '../api.js';
import { connection, files } from '../feed.js';
import { about, notice, route, world, worlds } from '../state.js';
import { QuietButton } from './panel.js';
import { useKeptFocus } from './focus.js';

export const PANELS = {
  exchanges: 'Exchanges',
  send: 'Send',
  collections: 'Collections',
  behaviour: 'Behaviour',
  coverage: 'Coverage',
};

const CONNECTIONS = { connecting: 'Connecting', live: 'Live', lost: 'Not connected' };

/** The frame around every panel. */
export function Shell({ children }: { children: ComponentChildren }): JSX.Element {
  const { contract, mountPath = '' } = about.value ?? {};
  useKeptFocus();
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => focusMain(event)}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={`${mountPath}/`}>
          petstore-mock
        </a>
        <span class="hint contract-name">{contract === undefined ? '' : `${contract.title} ${contract.version}`}</span>
        <span class={`connection ${connection.value}`} role="status">
          {CONNECTIONS[connection.value]}
        </span>
        <label class="world">
          World
          <select value={world.value} onChange={(event) => (world.value = event.currentTarget.value)}>
            {worlds.value.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <nav aria-label="Panels">
          {Object.entries(PANELS).map(([id, name]) => (
            <a key={id} href={`#${id}`} aria-current={route.value.panel === id ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      </header>
      <Alerts />
      <main id="main" tabIndex={-1}>
        <h1 class="sr">{`Console of petstore-mock: ${route.value.panel}`}</h1>
        {isLocked.value ? <Unlock /> : children}
      </main>
      <div class="notices" aria-live="polite">
        {notice.value === undefined ? null : (
          <p class={notice.value.isError ? 'notice is-error' : 'notice'}>{notice.value.text}</p>
        )}
      </div>
    </>
  );
}

function Alerts(): JSX.Element {
  return (
    <>
      {connection.value === 'lost' && !isLocked.value ? (
        <p class="alert" role="alert">
          The mock does not respond. Is it still running? This page connects again by itself, and shows until then what
          it last saw.
        </p>
      ) : null}
      {files.value.problem === undefined ? null : (
        <p class="alert" role="alert">
          {files.value.problem}
        </p>
      )}
      <Lost />
    </>
  );
}

/** A message about what a change of files has cost stays until it is dismissed. */
function Lost(): ComponentChildren {
  const [read, setRead] = useState<string | undefined>(undefined);
  const { lost, changed } = files.value;
  if (lost === undefined || changed === read) return null;
  return (
    <div class="alert is-mild" role="status">
      <span>{lost}</span>
      <QuietButton of="the message" act={() => setRead(changed)}>
        Dismiss
      </QuietButton>
    </div>
  );
}

function focusMain(event: Event): void {
  // The address, which says which panel is open, does not change.
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}

/** Asks for the token of the admin API, once per tab. */
function Unlock(): JSX.Element {
  const [text, setText] = useState('');
  return (
    <form
      class="card unlock"
      onSubmit={(event) => {
        event.preventDefault();
        keepToken(text.trim());
      }}
    >
      <h2>The token of the admin API</h2>
      <p class="hint">
        {token.value === ''
          ? 'This mock asks for the token that it was started with (PETSTORE_MOCK_ADMIN_TOKEN). It is stored in this tab only, until you close it.'
          : 'That is not the token.'}
      </p>
      <div class="fields-row">
        <label>
          Token
          <input
            type="password"
            required
            autocomplete="off"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Open
        </button>
      </div>
    </form>
  );
}
