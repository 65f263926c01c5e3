import { render, type ComponentChildren, type JSX } from 'preact';
import { readAbout } from './api.js';
import { toCurl, toFetch, type Copied, copyExample } from './copy-as.js';
import { CopyButton, Snippet } from './parts/copy-button.js';
import type { AboutMock, Example, Operation } from './types.js';
import { useEffect, useRef, useState } from 'preact/hooks';

/** As many examples as the mock makes at once. */
const SLICE = 12;

function Home({ about }: { about: AboutMock }): JSX.Element {
  const { contract, mountPath, basePath, operations } = about;
  const api = `${location.origin}${mountPath}${basePath}`;
  const { examples, want } = useExamples(about);
  return (
    <>
      <Top about={about} />
      <main class="stack home">
        <h1>
          A mock of {contract.title} <span class="hint">{contract.version}</span>
        </h1>
        <p class="lead">
          It stores what you create until it stops, rejects what the contract does not allow, and validates each of its
          own responses against the contract before it sends it.
        </p>
        <Facts about={about} api={api} />
        <h2 id="operations">Operations</h2>
        {operations.map((operation, index) => (
          <OperationCard
            key={operation.id}
            operation={operation}
            example={examples[operation.id]}
            want={() => want(operations[index - (index % SLICE)]?.id ?? operation.id)}
            api={api}
            send={about.console.isOn ? `${mountPath}/__admin#send/${encodeURIComponent(operation.id)}` : undefined}
          />
        ))}
      </main>
    </>
  );
}

function Top({ about: { mountPath, version, console } }: { about: AboutMock }): JSX.Element {
  return (
    <header class="top">
      <span class="brand">petstore-mock</span>
      <span class="hint">{version}</span>
      <nav aria-label="Pages">
        <a href="#operations">Operations</a>
        {['openapi.yaml', 'openapi.json'].map((name) => (
          <a key={name} href={`${mountPath}/${name}`} download={name}>
            {name}
          </a>
        ))}
        {console.isOn ? <a href={`${mountPath}/__admin`}>Console</a> : null}
      </nav>
    </header>
  );
}

function Facts({ about: { key, mountPath, console }, api }: { about: AboutMock; api: string }): JSX.Element {
  return (
    <dl class="facts">
      <Fact name="Address">
        <code>{api}</code> <CopyButton label="Copy" of="the address" text={() => api} />
      </Fact>
      <Fact name="Key">
        {key === undefined ? (
          'the one that the mock was started with'
        ) : (
          <>
            <code>{key}</code> <CopyButton label="Copy" of="the key" text={() => key} />
          </>
        )}
      </Fact>
      <Fact name="Console">
        {console.isOn ? <a href={`${mountPath}/__admin`}>Requests, records, faults and coverage</a> : console.why}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface OperationProps {
  operation: Operation;
  /** What to copy; `undefined` until somebody is about to look at it. */
  example: Example | undefined;
  want: () => void;
  api: string;
  send: string | undefined;
}

function OperationCard({ operation, example, want, api, send }: OperationProps): JSX.Element {
  const { id, method, path, summary, deprecated, sunset } = operation;
  const box = useSight(example === undefined, want);
  return (
    <section class="card" aria-label={id} ref={box}>
      <h3>
        <span class={`method is-${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{' '}
        <span class="hint">{id}</span>
        {deprecated ? <span class="tag">deprecated{sunset === undefined ? '' : `, removed on ${sunset}`}</span> : null}
      </h3>
      <p>{summary}</p>
      {send === undefined ? null : <a href={send}>Send {id} from the console</a>}
      {example === undefined ? (
        <p class="hint is-pending">Loading…</p>
      ) : (
        <Commands {...copyExample(method, example, api)} />
      )}
    </section>
  );
}

function Commands(copied: Copied): JSX.Element {
  return (
    <>
      <Snippet label="curl" code={toCurl(copied)} />
      <Snippet label="fetch" code={toFetch(copied)} />
    </>
  );
}

const app = document.querySelector('#app');
if (app !== null) render(<Home about={readAbout() as AboutMock} />, app);

type Examples = Readonly<Record<string, Example>>;

function useExamples({ operations, mountPath }: AboutMock): { examples: Examples; want: (id: string) => void } {
  const [examples, setExamples] = useState<Examples>(() =>
    Object.fromEntries(
      operations.flatMap(({ id, example }) => (example === undefined ? [] : [[id, example] as const])),
    ),
  );
  const asked = useRef(new Set<string>()).current;
  const want = (id: string): void => {
    if (asked.has(id)) return;
    asked.add(id);
    const load = async (): Promise<void> => {
      const answer = await fetch(`${mountPath}/__console/examples?from=${encodeURIComponent(id)}`);
      const made = (await answer.json()) as Examples;
      setExamples((known) => ({ ...known, ...made }));
    };
    // Without a mock there is nothing to try; whoever comes by again asks again.
    load().catch(() => asked.delete(id));
  };
  return { examples, want };
}

function useSight(isWanted: boolean, see: () => void): { current: HTMLElement | null } {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isWanted || box.current === null) return undefined;
    const seer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) see();
      },
      { rootMargin: '600px' },
    );
    seer.observe(box.current);
    return () => seer.disconnect();
  }, [isWanted]);
  return box;
}
