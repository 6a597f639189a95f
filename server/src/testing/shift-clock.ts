/** Preloaded into a process (`--import`), this puts its clock ahead by `CLOCK_AHEAD_MS`. */
const ahead = Number(process.env.CLOCK_AHEAD_MS)
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (real, given: ConstructorParameters<typeof Date> | []) =>
    given.length === 0 ? new real(real.now() + ahead) : Reflect.construct(real, given),
  get: (real, key) => (key === 'now' ? () => real.now() + ahead : Reflect.get(real, key)),
})
