import { launchId } from './launch-path.ts'

interface ValueStore<T> {
  get(): T | null
  set(value: T | null): void
  subscribe(listener: () => void): () => void
}

/** Where storage is off or full, values live as long as the page. Follows other tabs' changes. */
export type StringStore = ValueStore<string>

export function memoryStore<T>(first: T | null = null): ValueStore<T> {
  const listeners = new Set<() => void>()
  let value = first
  return {
    get: () => value,
    set(next) {
      if (next === value) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function browserStore(storage: () => Storage, key: string): StringStore {
  const memory = memoryStore(readStorage(storage, key))
  globalThis.addEventListener?.('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    memory.set(event.key === null ? null : event.newValue)
  })
  return {
    ...memory,
    set(next) {
      if (next === memory.get()) return
      try {
        if (next === null) storage().removeItem(key)
        else storage().setItem(key, next)
      } catch {
        // Refused by the browser: held in memory only.
      }
      memory.set(next)
    },
  }
}

function readStorage(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

/** In memory for a launch: several, of different people, may be open beside Assay itself. */
const sessionScopedStore = (storage: () => Storage, key: string): StringStore =>
  launchId === null ? browserStore(storage, key) : memoryStore()

export const tokenStore = sessionScopedStore(() => localStorage, 'assay.token')

export const csrfStore = sessionScopedStore(() => sessionStorage, 'assay.csrf')

/** Set when the server no longer knew our session: the sign-in page says so. */
export const sessionEndedStore = sessionScopedStore(() => sessionStorage, 'assay.ended')
