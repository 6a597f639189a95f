/** Browser storage that may be switched off or full: then values live as long as the page. */
export interface Stored {
  get(): string | null
  set(value: string | null): void
  /** Hears every change, those made by other tabs too. Returns the way to stop. */
  subscribe(listener: () => void): () => void
}

export function stored(storage: () => Storage, key: string): Stored {
  const listeners = new Set<() => void>()
  let value: string | null = null
  try {
    value = storage().getItem(key)
  } catch {
    // Refused by the browser's settings: we keep it in memory.
  }
  const tell = () => {
    for (const listener of listeners) listener()
  }
  globalThis.addEventListener?.('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    const next = event.key === null ? null : event.newValue
    if (next === value) return
    value = next
    tell()
  })
  return {
    get: () => value,
    set(next) {
      if (next === value) return
      value = next
      try {
        if (next === null) storage().removeItem(key)
        else storage().setItem(key, next)
      } catch {
        // As above.
      }
      tell()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The sign-in token; all tabs share it. */
export const tokenStore = stored(() => localStorage, 'assay.token')

/** The CSRF token; each tab has its own. */
export const csrfStore = stored(() => sessionStorage, 'assay.csrf')

/** Set when the server no longer knew our session, until somebody signs in: the sign-in page says so. */
export const endedStore = stored(() => sessionStorage, 'assay.ended')
