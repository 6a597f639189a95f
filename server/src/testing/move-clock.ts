const RealDate = Date

interface MovedClock {
  pass(ms: number): void
  ahead(): number
  restore(): void
}

/** Timers wait as before. */
export function moveClock(aheadMs = 0): MovedClock {
  let ahead = aheadMs
  globalThis.Date = new Proxy(RealDate, {
    construct: (real, given: ConstructorParameters<typeof Date> | []) =>
      given.length === 0 ? new real(real.now() + ahead) : Reflect.construct(real, given),
    get: (real, key) => (key === 'now' ? () => real.now() + ahead : Reflect.get(real, key)),
  })
  return {
    pass: (ms) => {
      ahead += ms
    },
    ahead: () => ahead,
    restore: () => {
      globalThis.Date = RealDate
    },
  }
}
