/** How many jobs of a pool this process runs at once. Asked each time jobs are claimed: the answers may change. */
export interface PoolLimits {
  max(): number | Promise<number>
  /** Of one fair-share key, so that no key holds up the others; without it, keys do not matter. */
  maxPerKey?(key: string): number | Promise<number>
  /** Whether `maxPerKey` counts the jobs of all processes, which costs a query for each claim. At the same moment two may claim the last one. */
  acrossProcesses?: boolean
  /** Each key may run so many even when the pool is full. */
  minPerKey?: number
}

/** The fair-share keys that run as many jobs as they may. */
export async function saturatedKeys(
  running: { fairShareKey: string }[],
  isFull: boolean,
  limits: PoolLimits,
): Promise<string[]> {
  const { maxPerKey, minPerKey } = limits
  if (!maxPerKey) return []
  const byKey = [...Map.groupBy(running, ({ fairShareKey }) => fairShareKey)]
  const saturated = await Promise.all(
    byKey.map(async ([key, jobs]) => {
      const max = await maxPerKey(key)
      return jobs.length >= (isFull ? Math.min(max, minPerKey ?? 0) : max) ? [key] : []
    }),
  )
  return saturated.flat().sort()
}
