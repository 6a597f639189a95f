interface Pair {
  first: { submission_id: number }
  second: { submission_id: number }
}

/** Pairs of papers by groups: two pairs with a paper in common are in one, and so on. Groups come in the order of their first pair. */
export function similarClusters<P extends Pair>(pairs: readonly P[]): P[][] {
  const groupOf = new Map<number, Set<number>>()
  for (const { first, second } of pairs) {
    const [one, other] = [first, second].map(({ submission_id: id }) => groupOf.get(id) ?? new Set([id]))
    if (!one || !other || one === other) continue
    const [small, large] = one.size < other.size ? [one, other] : [other, one]
    for (const id of small) large.add(id)
    for (const id of large) groupOf.set(id, large)
  }
  return [...Map.groupBy(pairs, ({ first }) => groupOf.get(first.submission_id)).values()]
}
