import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isLocked, keepToken, token } from '../api.js';
import { describeDelay } from '../describe-fault.js';
import { changes, connection, files, injected } from '../feed.js';
import { about, addWorld, ask, attempt, enterWorld, link, notice, route, world, worlds } from '../state.js';
import type { Injected } from '../types.js';
import { isName, NAME_RULE, Select, Submit } from './form.js';
import { Menu, QuietButton, Button } from './panel.js';
import { useKeptFocus } from './focus.js';

export const PANELS = {
  exchanges: 'Exchanges',
  send: 'API',
  collections: 'Collections',
  behaviour: 'Behaviour',
  coverage: 'Coverage',
};

const CONNECTIONS = { connecting: 'Connecting', live: 'Live', lost: 'Not connected' };

export function Shell({ children }: { children: ComponentChildren }): JSX.Element {
  const { contract, mountPath = '' } = about.value ?? {};
  const on = listInjected(injected.value);
  useKeptFocus();
  const badge = (
    <span class="badge" aria-hidden="true">
      {on.length}
    </span>
  );
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The address, which says which panel is open, does not change.
          event.preventDefault();
          document.querySelector<HTMLElement>('#main')?.focus();
        }}
      >
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
        {on.length === 0 ? null : (
          <ul class="injected" aria-label="Injected now">
            {on.map(({ card, text }) => (
              <li key={card}>
                <a href={link(`behaviour/${card}`)}>{text}</a>
              </li>
            ))}
          </ul>
        )}
        <WorldChooser />
        <ResetMenu />
        <nav aria-label="Panels">
          {Object.entries(PANELS).map(([id, name]) => (
            <a key={id} href={link(id)} aria-current={route.value.panel === id ? 'page' : undefined}>
              {name}
              {id === 'behaviour' && on.length > 0 ? badge : null}
            </a>
          ))}
        </nav>
      </header>
      {connection.value === 'lost' && !isLocked.value ? <Alert text={GONE} /> : null}
      {files.value.problem === undefined ? null : <Alert text={files.value.problem} />}
      <Lost />
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

export function listInjected({ faults, delay, clock, choices }: Injected): { card: string; text: string }[] {
  const { shift = 0, frozen } = clock ?? {};
  const date = new Date(frozen ?? Date.now() + shift).toISOString();
  const time = frozen === undefined ? date.slice(0, 10) : `stopped ${date.slice(0, 16).replace('T', ' ')}`;
  return [
    ...(faults === 0 ? [] : [{ card: 'faults', text: `${faults} fault${faults === 1 ? '' : 's'}` }]),
    ...(delay === undefined ? [] : [{ card: 'delay', text: `Delay ${describeDelay(delay)}` }]),
    ...(clock === undefined ? [] : [{ card: 'clock', text: `Clock ${time}` }]),
    ...(choices === 0 ? [] : [{ card: 'profile', text: `Profile: ${choices} choice${choices === 1 ? '' : 's'}` }]),
  ];
}

/** No world has this name. */
const NEW_WORLD = '+';

function WorldChooser(): JSX.Element {
  const [name, setName] = useState<string | undefined>(undefined);
  const known = worlds.value.includes(world.value) ? worlds.value : [world.value, ...worlds.value];
  const add = async (): Promise<void> => {
    if (name === undefined || !isName(name)) return;
    if (!(await addWorld(name))) return;
    enterWorld(name);
    setName(undefined);
  };
  if (name !== undefined) return <NewWorld name={name} set={setName} add={add} />;
  return (
    <label class="world">
      <span>World</span>
      <Select
        value={world.value}
        set={(chosen) => (chosen === NEW_WORLD ? setName('') : enterWorld(chosen))}
        options={[...known.map((each) => [each, each] as const), [NEW_WORLD, 'New world…']]}
      />
    </label>
  );
}

type NewWorldProps = { name: string; set: (name: string | undefined) => void; add: () => Promise<void> };

function NewWorld({ name, set, add }: NewWorldProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const isWrong = name !== '' && !isName(name);
  return (
    <form
      class="world new-world"
      aria-label="New world"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
      onKeyDown={(event) => (event.key === 'Escape' ? set(undefined) : undefined)}
    >
      <input
        ref={input}
        type="text"
        aria-label="Name of the new world"
        aria-describedby="world-rule"
        aria-invalid={isWrong}
        placeholder="Name of the new world"
        value={name}
        onInput={(event) => set(event.currentTarget.value)}
      />
      <Submit>Create</Submit>
      <QuietButton text="Cancel" act={() => set(undefined)} />
      <span id="world-rule" class={isWrong ? 'mark' : 'hint'}>
        {NAME_RULE}
      </span>
    </form>
  );
}

const RESETS = [
  ['records', 'Records', 'The records are those of the start'],
  ['faults', 'Faults', 'The faults are those of the start'],
  ['delay', 'Delay', 'The delay is that of the start'],
  ['clock', 'Clock', 'The clock is that of the start'],
  ['profile', 'Profile', 'The choices are those of the start'],
  ['exchanges', 'Exchanges', 'The journal is empty'],
  ['everything', 'Everything', 'Everything is as it was at the start, except snapshots'],
] as const;

function ResetMenu(): JSX.Element {
  const reset = async (part: string, done: string): Promise<void> => {
    await attempt(() => ask(`POST /console/reset?of=${part}`), done);
    changes.value += 1;
  };
  return (
    <Menu title="Reset" label="Reset to the start">
      {RESETS.map(([part, name, done]) => (
        <Button text={name} key={part} act={() => reset(part, done)} />
      ))}
    </Menu>
  );
}

const GONE =
  'The mock does not respond. Is it still running? This page connects again by itself, and shows until then what it last saw.';

function Alert({ text }: { text: string }): JSX.Element {
  return (
    <p class="alert" role="alert">
      {text}
    </p>
  );
}

function Lost(): ComponentChildren {
  const [read, setRead] = useState<string | undefined>(undefined);
  const { lost, changed } = files.value;
  if (lost === undefined || changed === read) return null;
  return (
    <div class="alert is-mild" role="status">
      <span>{lost}</span>
      <QuietButton text="Dismiss" of="the message" act={() => setRead(changed)} />
    </div>
  );
}

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
        <Submit>Open</Submit>
      </div>
    </form>
  );
}
