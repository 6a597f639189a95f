import { launchId } from './launch-address.ts'

/** A value somebody may listen to. */
export interface Kept<T> {
  get(): T | null
  set(value: T | null): void
  /** Hears every change. Returns the way to stop. */
  subscribe(listener: () => void): () => void
}

/** Browser storage that may be switched off or full: then values live as long as the page. Changes made by other tabs are heard too. */
export type Stored = Kept<string>

/** Gone with the page, and nobody else's. */
export function inMemory<T>(first: T | null = null): Kept<T> {
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

export function stored(storage: () => Storage, key: string): Stored {
  const memory = inMemory(read(storage, key))
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
        // Refused by the browser's settings: we keep it in memory.
      }
      memory.set(next)
    },
  }
}

function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null // As above.
  }
}

/**
 * What makes a session. Several launches, as different people, may be open at once, and somebody may be signed in to Assay on its own
 * beside them: what is launched keeps all this to itself.
 */
const ofSession = (storage: () => Storage, key: string): Stored =>
  launchId === null ? stored(storage, key) : inMemory()

/** The sign-in token; all tabs share it. */
export const tokenStore = ofSession(() => localStorage, 'assay.token')

/** The CSRF token; each tab has its own. */
export const csrfStore = ofSession(() => sessionStorage, 'assay.csrf')

/** Set when the server no longer knew our session, until somebody signs in: the sign-in page says so. */
export const endedStore = ofSession(() => sessionStorage, 'assay.ended')
