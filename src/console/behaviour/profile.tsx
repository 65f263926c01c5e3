import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { files, injectedNow } from '../feed.js';
import { Card, Pending, Prose, QuietButton, useData } from '../parts/panel.js';
import { SameAs } from '../parts/same-as.js';
import { about, ask, attempt, route, world } from '../state.js';
import type { Gap } from '../types.js';

type Profile = { name: string; choices: Record<string, string> };

export function ProfilePanel(): JSX.Element {
  const profile = useData(() => ask<Profile>('GET /profile'), [world.value, files.value.changed, injectedNow.value]);
  const { data, reload } = profile;
  const [search, setSearch] = useState('');
  const listed = useData(() => ask<{ gaps: Gap[] }>('GET /console/gaps'), [world.value, about.value]);
  const all = data === undefined ? [] : (listed.data?.gaps ?? []);
  const gaps = all.filter(({ kind }) => kind === 'choice');
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
  const isChanged = ({ id, mock, kind }: Gap): boolean => kind === 'choice' && (data?.choices[id] ?? mock) !== mock;
  const isThere = all.length > 0;
  // It grows once it is loaded, so that a link to it would lead elsewhere.
  useEffect(() => {
    if (isThere && route.value.item === 'profile') document.querySelector('#profile')?.scrollIntoView();
  }, [isThere]);
  const found = all.filter((gap) =>
    [gap.id, gap.question, gap.group, gap.mock, ...Object.entries(gap.choices).flat()]
      .join(' ')
      .toLowerCase()
      .includes(search.trim().toLowerCase()),
  );
  const reset = (
    <QuietButton
      text="Reset all choices"
      act={() => act('DELETE /profile', undefined, 'The choices are those of the start')}
    />
  );
  return (
    <Card id="profile" title="Profile" action={reset}>
      <p class="hint">How the mock behaves where the contract is silent.</p>
      <Pending of={profile} />
      {data === undefined ? null : (
        <p class="hint">{`${data.name} · ${changed === 0 ? 'every choice is the default' : `${changed} of ${gaps.length} choices changed`}`}</p>
      )}
      <div class="toolbar" role="search" aria-label="Gaps">
        <input
          type="search"
          aria-label="Search the gaps"
          placeholder="Search the gaps"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <span class="hint" role="status">
          {search.trim() === '' ? `${all.length} gaps` : `${found.length} of ${all.length} gaps`}
        </span>
      </div>
      {[...Map.groupBy(found, ({ group }) => group)].map(([group, members]) => (
        <details key={group} open={search.trim() !== '' || members.some(isChanged)}>
          <summary>
            <b>{group}</b> {countGaps(members.length, members.filter(isChanged).length)}
          </summary>
          <ul class="gaps">
            {members.map((gap) => (
              <GapRow key={gap.id} gap={gap} choice={data?.choices[gap.id] ?? gap.mock} choose={choose} />
            ))}
          </ul>
        </details>
      ))}
      <SameAs
        file={{
          name: 'profile.yaml',
          text: `gaps:\n${shown.map(({ id, choice }) => `  ${id}: ${/^(?!(?:true|false|null)$)[a-z][\w-]*$/.test(choice) ? choice : JSON.stringify(choice)}\n`).join('')}`,
        }}
        flag="--profile profile.yaml"
        library={`await mock.profile.choose(${JSON.stringify(choices)});`}
        admin={{ call: 'PATCH /profile', body: { choices } }}
      />
    </Card>
  );
}

function countGaps(all: number, changed: number): string {
  return `${all} gap${all === 1 ? '' : 's'}${changed === 0 ? '' : `, ${changed} changed`}`;
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
  const { id, kind, question, choices, mock } = gap;
  // What the runner measures or lists at a service has no names to choose from.
  if (kind !== 'choice')
    return (
      <li>
        <span class="item-main">
          <span>
            <Prose text={question} />
          </span>
          <span class="hint">
            Observed by the runner. The mock: <Prose text={mock} />
          </span>
        </span>
      </li>
    );
  return (
    <li class={choice === mock ? '' : 'is-changed'}>
      <span class="item-main">
        <label for={`gap-${id}`}>
          <Prose text={question} />
        </label>
        <span class="hint">
          <Prose text={choices[choice] ?? ''} />
        </span>
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
