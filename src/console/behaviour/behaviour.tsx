import type { JSX } from 'preact';
import { FaultsPanel } from './faults.js';
import { useEffect, useState } from 'preact/hooks';
import { describeDelay } from '../describe-fault.js';
import { Card, QuietButton, Pending, useSteered, Item, Prose, useData } from '../parts/panel.js';
import { Form, Input, Submit, NAME, NAME_RULE, Search, Select } from '../parts/form.js';
import { SameAs } from '../parts/same-as.js';
import { addWorld, attempt, world, about, DEFAULT_WORLD, enterWorld, route, worlds, ask } from '../state.js';
import { call, settle } from '../api.js';
import type { Gap } from '../types.js';

export function Behaviour(): JSX.Element {
  const { item } = route.value;
  // A link to one of the cards: `#behaviour/delay`.
  useEffect(() => {
    const heading = item === undefined ? null : document.getElementById(item);
    heading?.scrollIntoView({ block: 'start' });
    heading?.focus({ preventScroll: true });
  }, [item]);
  return (
    <div class="stack behaviour">
      <FaultsPanel />
      <WorldsPanel />
      <DelayPanel />
      <ClockPanel />
      <ProfilePanel />
    </div>
  );
}

type Delay = { from: number; to: number };

const LIMITS = { type: 'number', max: 86_400_000, required: true } as const;

function DelayPanel(): JSX.Element {
  const [from, setFrom] = useState('100');
  const [to, setTo] = useState('800');
  const delay = useSteered<Delay>('GET /delay');
  const { data, act } = delay;
  const typed: Delay = { from: Number(from), to: Number(to) };
  const actions = (
    <span class="actions">
      <QuietButton
        text="Remove the delay"
        disabled={data === undefined || data.to === 0}
        act={() => act('PUT /delay', { from: 0, to: 0 }, 'Requests are no longer delayed')}
      />
      <QuietButton text="Reset the delay" act={() => act('DELETE /delay', undefined, 'The delay is reset')} />
    </span>
  );
  return (
    <Card id="delay" title="Delay" action={actions}>
      <Pending of={delay} />
      {data && <p class="hint">{data.to === 0 ? 'No delay.' : `Every request waits ${describeDelay(data)}.`}</p>}
      <Form submit={() => act('PUT /delay', typed, 'Every request waits')}>
        <div class="fields-row">
          <Input label="From, ms" value={from} set={setFrom} min={0} {...LIMITS} />
          <Input label="To, ms" value={to} set={setTo} min={from} {...LIMITS} />
          <Submit>Delay every request</Submit>
        </div>
        <SameAs
          flag={`--delay ${from === to ? from : `${from}-${to}`}`}
          library={`await mock.delay.set({ from: ${from}, to: ${to} });`}
          admin={{ call: 'PUT /delay', body: typed }}
        />
      </Form>
    </Card>
  );
}

type Clock = { now: string; frozen: boolean };

const DAY_MS = 86_400_000;

function ClockPanel(): JSX.Element {
  const clock = useSteered<Clock>('GET /clock');
  const { data, act } = clock;
  const sunset = about.value?.operations.find((each) => each.sunset !== undefined)?.sunset;
  const [typed, setDate] = useState<string | undefined>(undefined);
  const date = typed ?? sunset ?? '2030-01-01';
  const reset = (
    <QuietButton text="Reset the clock" act={() => act('DELETE /clock', undefined, 'The clock is reset')} />
  );
  return (
    <Card id="clock" title="Clock" action={reset}>
      <Pending of={clock} />
      {data === undefined ? null : (
        <p>
          <time dateTime={data.now}>{data.now.replace('T', ' ').slice(0, 19)} UTC</time>{' '}
          <span class="hint">{data.frozen ? 'stopped' : 'running'}</span>
        </p>
      )}
      <Form submit={() => act('POST /clock/set', { date }, 'The clock is set')}>
        <div class="fields-row">
          <Input label="Date" value={date} set={setDate} required />
          <Submit>Set the date</Submit>
          <QuietButton text="+1 day" act={() => act('POST /clock/advance', { ms: DAY_MS }, 'A day has passed')} />
          <QuietButton text="Stop the clock" act={() => act('POST /clock/freeze', {}, 'The clock is stopped')} />
        </div>
        {sunset === undefined ? null : <p class="hint">On {sunset} a deprecated operation is removed.</p>}
      </Form>
      <SameAs
        flag={`--now ${date}`}
        library={`await mock.clock.set('${date.replaceAll("'", '')}');`}
        admin={{ call: 'POST /clock/set', body: { date } }}
      />
    </Card>
  );
}

function WorldsPanel(): JSX.Element {
  const [name, setName] = useState('');
  const shown = name === '' ? 'w1' : name.replaceAll("'", '');
  const drop = async (each: string): Promise<void> => {
    const isShown = world.value === each;
    if (isShown) {
      // What the page still asks of the world is answered before there is none.
      enterWorld(DEFAULT_WORLD);
      await settle();
    }
    const isDone = await attempt(() => call(`DELETE /worlds/${each}`), `The world ${each} is removed`);
    if (!isDone && isShown) enterWorld(each);
  };
  const add = async (): Promise<void> => {
    await addWorld(name);
    setName('');
  };
  const show = (each: string): JSX.Element => <QuietButton text="Show" of={each} act={() => enterWorld(each)} />;
  return (
    <Card id="worlds" title="Worlds">
      <p class="hint">Each world is an isolated mock, with its own records, faults and clock, at its own address.</p>
      <ul class="items">
        {worlds.value.map((each) => (
          <Item key={each} name={each} about={<code>{urlOf(each)}</code>}>
            {each === world.value ? <span class="hint">shown here</span> : show(each)}
            {each === DEFAULT_WORLD ? null : <QuietButton text="Remove" of={each} act={() => drop(each)} />}
          </Item>
        ))}
      </ul>
      <Form submit={add}>
        <div class="fields-row">
          <Input label="Name" value={name} set={setName} {...NAME} />
          <Submit>Add the world</Submit>
        </div>
        <p class="hint">{NAME_RULE}</p>
      </Form>
      <SameAs library={`mock.world('${shown}');`} admin={{ call: `PUT /worlds/${shown}` }} />
    </Card>
  );
}

function urlOf(name: string): string {
  const { basePath = '', mountPath = '' } = about.value ?? {};
  return `${location.origin}${mountPath}${name === DEFAULT_WORLD ? '' : `/worlds/${name}`}${basePath}`;
}

type Profile = { name: string; choices: Record<string, string> };

function ProfilePanel(): JSX.Element {
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
      {[...Map.groupBy(found, ({ group }) => group)].map(([group, members]) => {
        const changedHere = members.filter(isChanged).length;
        const counted = `${members.length} gap${members.length === 1 ? '' : 's'}`;
        return (
          <details key={group} open={search.trim() !== '' || changedHere > 0}>
            <summary>
              <b>{group}</b> {changedHere === 0 ? counted : `${counted}, ${changedHere} changed`}
            </summary>
            <ul class="gaps">
              {members.map((gap) => (
                <GapRow key={gap.id} gap={gap} choice={choiceOf(gap)} choose={choose} />
              ))}
            </ul>
          </details>
        );
      })}
      <SameAs
        file={{ name: 'profile.yaml', text: `gaps:\n${yaml.join('')}` }}
        flag="--profile profile.yaml"
        library={`await mock.profile.choose(${JSON.stringify(choices)});`}
        admin={{ call: 'PATCH /profile', body: { choices } }}
      />
    </Card>
  );
}

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
