import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call, settle } from '../api.js';
import { Card, Item, QuietButton } from '../parts/card.js';
import { Form, Input, NAME, Submit } from '../parts/form.js';
import { SameAs } from '../parts/same-as.js';
import { about, attempt, DEFAULT_WORLD, world, worlds } from '../state.js';

/** Isolated mocks on one port. */
export function WorldsPanel(): JSX.Element {
  const [name, setName] = useState('');
  const shown = name === '' ? 'w1' : name.replaceAll("'", '');
  const drop = async (each: string): Promise<void> => {
    const isShown = world.value === each;
    if (isShown) {
      // What the page still asks of the world is answered before there is none.
      world.value = DEFAULT_WORLD;
      await settle();
    }
    const isDone = await attempt(() => call(`DELETE /worlds/${each}`), `The world ${each} is removed`);
    if (!isDone && isShown) world.value = each;
  };
  const add = async (): Promise<void> => {
    await attempt(() => call(`PUT /worlds/${encodeURIComponent(name)}`), `The world ${name} is added`);
    setName('');
  };
  return (
    <Card id="worlds" title="Worlds">
      <p class="hint">Each world is an isolated mock, with its own records, faults and clock, at its own address.</p>
      <ul class="items">
        {worlds.value.map((each) => (
          <Item key={each} name={each} about={<code>{urlOf(each)}</code>}>
            {each === world.value ? (
              <span class="hint">shown here</span>
            ) : (
              <QuietButton of={each} act={() => (world.value = each)}>
                Show
              </QuietButton>
            )}
            {each === DEFAULT_WORLD ? null : (
              <QuietButton of={each} act={() => drop(each)}>
                Remove
              </QuietButton>
            )}
          </Item>
        ))}
      </ul>
      <Form submit={add}>
        <div class="fields-row">
          <Input label="Name" value={name} set={setName} {...NAME} />
          <Submit>Add the world</Submit>
        </div>
      </Form>
      <SameAs library={`mock.world('${shown}');`} admin={{ call: `PUT /worlds/${shown}` }} />
    </Card>
  );
}

function urlOf(name: string): string {
  const { basePath = '', mountPath = '' } = about.value ?? {};
  return `${location.origin}${mountPath}${name === DEFAULT_WORLD ? '' : `/worlds/${name}`}${basePath}`;
}
