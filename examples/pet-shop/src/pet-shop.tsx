import { useCallback, useEffect, useState } from 'react';
import { AddPet } from './add-pet.js';
import { ApiError, STATUSES, type Pet, type Api, type Status } from './api.js';

type Shown = { is: 'loading' } | { is: 'failed'; error: ApiError } | { is: 'there'; pets: Pet[] };

export function PetShop({ api }: { api: Api }) {
  const [status, setStatus] = useState<Status | undefined>();
  const [shown, setShown] = useState<Shown>({ is: 'loading' });

  const load = useCallback(
    async (signal?: AbortSignal) => {
      setShown({ is: 'loading' });
      try {
        const pets = await api.listPets({ status }, signal);
        // The filter has changed meanwhile: a late answer must not replace the newer one.
        if (!signal?.aborted) setShown({ is: 'there', pets });
      } catch (error) {
        if (signal?.aborted) return;
        if (!(error instanceof ApiError)) throw error;
        setShown({ is: 'failed', error });
      }
    },
    [api, status],
  );

  useEffect(() => {
    const leaving = new AbortController();
    void load(leaving.signal);
    return () => leaving.abort();
  }, [load]);

  return (
    <main>
      <h1>Pet shop</h1>
      <AddPet api={api} onAdded={() => load()} />
      <label>
        Show{' '}
        <select value={status ?? ''} onChange={({ target }) => setStatus((target.value || undefined) as Status)}>
          <option value="">all pets</option>
          {STATUSES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <List shown={shown} onRetry={() => load()} onKey={(key) => (api.useKey(key), void load())} />
    </main>
  );
}

interface ListProps {
  shown: Shown;
  onRetry: () => void;
  onKey: (key: string) => void;
}

function List({ shown, onRetry, onKey }: ListProps) {
  if (shown.is === 'loading') return <p role="status">Loading …</p>;
  if (shown.is === 'failed' && shown.error.kind === 'unauthorized') return <AskForKey onKey={onKey} />;
  if (shown.is === 'failed') {
    return (
      <div role="alert">
        {shown.error.message} <button onClick={onRetry}>Try again</button>
      </div>
    );
  }
  if (shown.pets.length === 0) return <p role="status">No pets.</p>;
  return (
    <ul aria-label="Pets">
      {shown.pets.map(({ id, name, status }) => (
        <li key={id}>
          {name} <small>{status ?? 'no status'}</small>
        </li>
      ))}
    </ul>
  );
}

function AskForKey({ onKey }: { onKey: (key: string) => void }) {
  const [key, setKey] = useState('');
  return (
    <form role="alert" onSubmit={(event) => (event.preventDefault(), onKey(key))}>
      The petstore does not accept this key.{' '}
      <label>
        API key <input type="password" required value={key} onChange={({ target }) => setKey(target.value)} />
      </label>{' '}
      <button>Sign in</button>
    </form>
  );
}
