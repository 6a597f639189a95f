/** Stands for what a hook will make, so that a test file can name it before. */
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
