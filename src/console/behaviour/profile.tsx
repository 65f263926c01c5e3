import { Search, Select } from '../parts/form.js';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Card, Pending, Prose, QuietButton, useData, useSteered } from '../parts/panel.js';
import { SameAs } from '../parts/same-as.js';
import { about, ask, route, world } from '../state.js';
import type { Gap } from '../types.js';

type Profile = { name: string; choices: Record<string, string> };

export function ProfilePanel(): JSX.Element {
  const profile = useSteered<Profile>('GET /profile');
  const { data, act } = profile;
  const [search, setSearch] = useState('');
  const listed = useData(() => ask<{ gaps: Gap[] }>('GET /console/gaps'), [world.value, about.value]);
  const all = data === undefined ? [] : (listed.data?.gaps ?? []);
  const gaps = all.filter(({ kind }) => kind === 'choice');
  const choose = (id: string, choice: string): unknown =>
    act('PATCH /profile', { choices: { [id]: choice } }, 'The choice is made');
  const choiceOf = ({ id, mock }: Gap): string => data?.choices[id] ?? mock;
  const isChanged = (gap: Gap): boolean => gap.kind === 'choice' && choiceOf(gap) !== gap.mock;
  const others = gaps.filter(isChanged);
  const changed = others.length;
  const shown = changed === 0 ? gaps.slice(0, 1) : others;
  const choices = Object.fromEntries(shown.map((gap) => [gap.id, choiceOf(gap)]));
  const isThere = all.length > 0;
  // It grows once it is loaded, so that a link to it would lead elsewhere.
  useEffect(() => {
    if (isThere && route.value.item === 'profile') document.querySelector('#profile')?.scrollIntoView();
  }, [isThere]);
  const wanted = search.trim().toLowerCase();
  const found = all.filter(({ id, question, group, mock, choices: named }) =>
    [id, question, group, mock, ...Object.entries(named).flat()].join(' ').toLowerCase().includes(wanted),
  );
  const isReset = 'The choices are those of the start';
  const reset = <QuietButton text="Reset all choices" act={() => act('DELETE /profile', undefined, isReset)} />;
  const told = changed === 0 ? 'every choice is the default' : `${changed} of ${gaps.length} choices changed`;
  // A YAML text, in quotes if it could be taken for something else.
  const yaml = Object.entries(choices).map(([id, choice]) => {
    const isPlain = /^(?!(?:true|false|null)$)[a-z][\w-]*$/.test(choice);
    return `  ${id}: ${isPlain ? choice : JSON.stringify(choice)}\n`;
  });
  return (
    <Card id="profile" title="Profile" action={reset}>
      <p class="hint">How the mock behaves where the contract is silent.</p>
      <Pending of={profile} />
      {data && <p class="hint">{`${data.name} · ${told}`}</p>}
      <div class="toolbar" role="search" aria-label="Gaps">
        <Search label="Search the gaps" value={search} set={setSearch} />
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
              <GapRow key={gap.id} gap={gap} choice={choiceOf(gap)} choose={choose} />
            ))}
          </ul>
        </details>
      ))}
      <SameAs
        file={{ name: 'profile.yaml', text: `gaps:\n${yaml.join('')}` }}
        flag="--profile profile.yaml"
        library={`await mock.profile.choose(${JSON.stringify(choices)});`}
        admin={{ call: 'PATCH /profile', body: { choices } }}
      />
    </Card>
  );
}

const countGaps = (all: number, changed: number): string =>
  `${all} gap${all === 1 ? '' : 's'}${changed === 0 ? '' : `, ${changed} changed`}`;

type GapProps = { gap: Gap; choice: string; choose: (id: string, choice: string) => unknown };

function GapRow({ gap, choice, choose }: GapProps): JSX.Element {
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
  const options = Object.keys(choices).map((each) => [each, each] as const);
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
      <Select id={`gap-${id}`} value={choice} set={(next) => choose(id, next)} options={options} />
    </li>
  );
}
