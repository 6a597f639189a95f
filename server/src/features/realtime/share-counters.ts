import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { ConnectionCounter, ConnectionCounts } from './connection-limits.ts'

/** In ms: connections that open together are sent together. */
const TELL_AFTER_MS = 50
/** For processes that started since or missed some; how long a silent process still counts. */
const REPEAT_MS = 20_000
const FORGOTTEN_AFTER_MS = 50_000

export function shareCounters(
  counters: Record<string, ConnectionCounter>,
  { events }: Pick<Services, 'events'>,
): { close(): void } {
  if (!events.isShared) return { close() {} }
  const process = randomUUID()
  const changed = new Map<string, Set<string>>()
  const forgetting = new Map<string, NodeJS.Timeout>()
  let telling: NodeJS.Timeout | null = null

  function tellChanges(): void {
    telling = null
    const counts = [...changed].flatMap(([name, keys]) =>
      [...keys].map((key): ConnectionCounts['counts'][number] => [name, key, counters[name]?.countHere(key) ?? 0]),
    )
    changed.clear()
    events.emit('connections_counted', { process, counts, isAll: false })
  }
  function tellAll(): void {
    const counts = Object.entries(counters).flatMap(([name, counter]) =>
      [...counter.keys()].map((key): ConnectionCounts['counts'][number] => [name, key, counter.countHere(key)]),
    )
    events.emit('connections_counted', { process, counts, isAll: true })
  }
  for (const [name, counter] of Object.entries(counters)) {
    counter.onChange = (key) => {
      changed.set(name, (changed.get(name) ?? new Set()).add(key))
      telling ??= setTimeout(tellChanges, TELL_AFTER_MS)
    }
  }

  function forget(other: string): void {
    clearTimeout(forgetting.get(other))
    forgetting.delete(other)
    for (const counter of Object.values(counters)) counter.elsewhere.delete(other)
  }
  events.onAny('connections_counted', (told) => {
    if (told.process === process) return
    if (told.isAll) forget(told.process)
    for (const [name, key, count] of told.counts) {
      const counter = counters[name]
      if (!counter) continue
      const known = counter.elsewhere.get(told.process) ?? new Map<string, number>()
      counter.elsewhere.set(told.process, known)
      if (count > 0) known.set(key, count)
      else known.delete(key)
    }
    clearTimeout(forgetting.get(told.process))
    forgetting.set(told.process, setTimeout(() => forget(told.process), FORGOTTEN_AFTER_MS).unref())
  })
  events.onGap(tellAll)
  const repeating = setInterval(tellAll, REPEAT_MS)
  return {
    close() {
      if (telling) clearTimeout(telling)
      clearInterval(repeating)
      for (const counter of Object.values(counters)) counter.onChange = () => {}
      for (const timer of forgetting.values()) clearTimeout(timer)
      events.emit('connections_counted', { process, counts: [], isAll: true })
    },
  }
}
