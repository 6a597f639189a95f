/** Like `Promise.all`, by name. */
export async function allOf<T extends Record<string, unknown>>(work: T): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const done = await Promise.all(Object.entries(work).map(async ([name, one]) => [name, await one]))
  return Object.fromEntries(done)
}
