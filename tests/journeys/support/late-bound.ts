/** Lets a test file name what a hook will make. */
export function lateBound<T extends object>(): { value: T; bind(made: T): void } {
  let made: T | undefined
  const value = new Proxy({} as T, {
    get(_, name) {
      if (!made) throw new Error('only available after beforeAll')
      return Reflect.get(made, name)
    },
  })
  return {
    value,
    bind(now) {
      made = now
    },
  }
}
