import { useEffect, useState } from 'preact/hooks';

/** A value that several parts of the page watch. */
export interface Store<Value> {
  get(): Value;
  set(value: Value): void;
  /** @returns the way to stop watching */
  watch(listener: () => void): () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      current = value;
      for (const listener of listeners) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.get);
  useEffect(() => {
    const update = () => setValue(() => store.get());
    update();
    return store.watch(update);
  }, [store]);
  return value;
}
