import type { JSX } from 'preact';
import { files } from '../feed.js';
import { Pending, useData } from '../parts/panel.js';
import { SameAs } from '../parts/same-as.js';
import { about, ask, attempt, world } from '../state.js';
import type { Gap } from '../types.js';

interface Profile {
  name: string;
  choices: Record<string, string>;
}

/** What the mock does where the contract is silent. */
export function ProfilePanel(): JSX.Element {
  const profile = useData(() => ask<Profile>('GET /profile'), [world.value, files.value.changed]);
  const { data, reload } = profile;
  const gaps = data === undefined ? [] : (about.value?.gaps ?? []);
  const act = async (what: string, body: unknown, done: string): Promise<void> => {
    await attempt(() => ask(what, body), done);
    await reload();
  };
  const choose = (id: string, choice: string): void => {
    void act('PATCH /profile', { choices: { [id]: choice } }, 'The choice is made');
  };
  const made = gaps.map(({ id, mock }) => ({ id, mock, choice: data?.choices[id] ?? mock }));
  const others = made.filter(({ mock, choice }) => choice !== mock);
  const changed = others.length;
  const shown = changed === 0 ? made.slice(0, 1) : others;
  const choices = Object.fromEntries(shown.map(({ id, choice }) => [id, choice]));
  return (
    <section class="card" aria-labelledby="profile">
      <div class="bar">
        <h2 id="profile">Profile</h2>
        <button
          type="button"
          class="quiet"
          onClick={() => void act('DELETE /profile', undefined, 'The choices are those of the start')}
        >
          Reset all choices
        </button>
      </div>
      <p class="hint">How the mock behaves where the contract is silent.</p>
      <Pending of={profile} />
      {data === undefined ? null : <p class="hint">{`${data.name} · ${describeChanged(changed, gaps.length)}`}</p>}
      <ul class="items gaps">
        {gaps.map((gap) => (
          <GapRow key={gap.id} gap={gap} choice={data?.choices[gap.id] ?? gap.mock} choose={choose} />
        ))}
      </ul>
      <SameAs
        file={{
          name: 'profile.yaml',
          text: `gaps:\n${shown.map(({ id, choice }) => `  ${id}: ${writeScalar(choice)}\n`).join('')}`,
        }}
        flag="--profile profile.yaml"
        library={`await mock.profile.choose(${JSON.stringify(choices)});`}
        admin={{ call: 'PATCH /profile', body: { choices } }}
      />
    </section>
  );
}

function describeChanged(changed: number, all: number): string {
  return changed === 0 ? 'every choice is the default' : `${changed} of ${all} choices changed`;
}

/** A YAML text, in quotes if it could be taken for something else. */
function writeScalar(text: string): string {
  return /^(?!(?:true|false|null)$)[a-z][\w-]*$/.test(text) ? text : JSON.stringify(text);
}

function GapRow({
  gap,
  choice,
  choose,
}: {
  gap: Gap;
  choice: string;
  choose: (id: string, choice: string) => void;
}): JSX.Element {
  const { id, question, choices, mock } = gap;
  return (
    <li class={choice === mock ? '' : 'is-changed'}>
      <span class="item-main">
        <label for={`gap-${id}`}>{question}</label>
        <span class="hint">{choices[choice]}</span>
      </span>
      <select id={`gap-${id}`} value={choice} onChange={(event) => choose(id, event.currentTarget.value)}>
        {Object.keys(choices).map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </li>
  );
}
