/** For this process. Asked at each claim, as the answers may change. */
export interface PoolLimits {
  max(): number | Promise<number>
  maxPerKey?(key: string): number | Promise<number>
  /** `maxPerKey` counts jobs of all processes, at a query per claim. Two may claim the last one at the same moment. */
  acrossProcesses?: boolean
  /** Each key may run this many even when the pool is full. */
  minPerKey?: number
}

export async function saturatedKeys(running: { fairShareKey: string }[], isFull: boolean, limits: PoolLimits) {
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
