import { useState } from 'react';
import { ApiError, STATUSES, type Animal, type Api, type Status } from './api.js';

interface AddAnimalProps {
  api: Api;
  onAdded: (animal: Animal) => void;
}

/** The service decides what an animal must be; the form shows what it says. */
export function AddAnimal({ api, onAdded }: AddAnimalProps) {
  const [name, setName] = useState('');
  const [category, setCategory] = useState('1');
  const [status, setStatus] = useState<Status>('available');
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ role: 'alert' | 'status'; text: string }>();

  async function add() {
    setBusy(true);
    setSaid(undefined);
    try {
      const animal = await api.addAnimal({ name, categoryId: readNumber(category), status });
      setName('');
      setSaid({ role: 'status', text: `${animal.name} was added.` });
      onAdded(animal);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setSaid({ role: 'alert', text: error.message });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form aria-label="Add an animal" onSubmit={(event) => (event.preventDefault(), void add())}>
      <label>
        Name <input value={name} onChange={({ target }) => setName(target.value)} />
      </label>
      <label>
        Category <input value={category} inputMode="numeric" onChange={({ target }) => setCategory(target.value)} />
      </label>
      <label>
        Status{' '}
        <select value={status} onChange={({ target }) => setStatus(target.value as Status)}>
          {STATUSES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {/* A second click while the first is under way would add a second animal. */}
      <button disabled={busy}>{busy ? 'Adding …' : 'Add'}</button>
      {said && <p role={said.role}>{said.text}</p>}
    </form>
  );
}

function readNumber(typed: string): number | string {
  const number = Number(typed);
  return typed.trim() === '' || Number.isNaN(number) ? typed : number;
}
