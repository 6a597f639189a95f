/** Papers that come together, such as those of an exam. */
export interface Batch {
  /** In seconds from the beginning. */
  at: number
  papers: number
}

/**
 * When each batch is graded, in seconds from the beginning, where all that are under way share the capacity equally, as courses do here.
 * @param perSecond papers graded a second while enough wait
 * @param delay seconds that a batch takes even alone, however few its papers
 */
export function predictEnds(batches: readonly Batch[], perSecond: number, delay: number): number[] {
  const order = batches.map((batch, index) => ({ ...batch, index })).sort((a, b) => a.at - b.at)
  const ends = batches.map(() => 0)
  let now = 0
  let underWay: { index: number; left: number }[] = []
  while (order.length > 0 || underWay.length > 0) {
    const next = order[0]?.at ?? Number.POSITIVE_INFINITY
    const fewest = Math.min(...underWay.map(({ left }) => left))
    const firstEnd = underWay.length > 0 ? now + (fewest * underWay.length) / perSecond : Number.POSITIVE_INFINITY
    const then = Math.min(next, firstEnd)
    const each = underWay.length > 0 ? ((then - now) * perSecond) / underWay.length : 0
    for (const one of underWay) one.left -= each
    now = then
    for (const { index } of underWay.filter(({ left }) => left < 1e-9)) ends[index] = now + delay
    underWay = underWay.filter(({ left }) => left >= 1e-9)
    for (let batch = order[0]; batch && batch.at <= now; batch = order[0]) {
      underWay.push({ index: batch.index, left: batch.papers })
      order.shift()
    }
  }
  return ends
}

/** What waits and for how long, where papers come hour by hour. */
export interface Backlog {
  papers: number
  /** Of the paper that waits longest, in hours. */
  longestWait: number
  /** Share of the capacity that is used, of the whole time. */
  use: number
}

/**
 * The longest queue and wait of a week, first come, first served, as a fluid.
 * @param perHour papers that come in each hour
 * @param capacity papers an hour
 */
export function predictBacklog(perHour: readonly number[], capacity: number): Backlog {
  let waiting = 0
  let most = 0
  for (const papers of perHour) {
    waiting = Math.max(0, waiting + papers - capacity)
    most = Math.max(most, waiting)
  }
  const total = perHour.reduce((sum, papers) => sum + papers, 0)
  return { papers: most, longestWait: most / capacity, use: total / (capacity * perHour.length) }
}

/** Of the hours of an exam week, the share of its papers that come in each: 168, from Monday midnight. */
export function examWeek(): number[] {
  // Exams end before noon and in the afternoon, homework is due at midnight.
  const byHour = [1, 0, 0, 0, 0, 0, 0, 1, 2, 6, 10, 16, 8, 6, 8, 12, 14, 8, 5, 4, 4, 5, 6, 8]
  const byDay = [1, 1.2, 1.3, 1.2, 1, 0.15, 0.25]
  const shares = byDay.flatMap((day) => byHour.map((hour) => day * hour))
  const total = shares.reduce((sum, share) => sum + share, 0)
  return shares.map((share) => share / total)
}
